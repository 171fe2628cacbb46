-- Users for LOG_STORE_URL=clickhouse://podium:…@HOST:8123/podium?reader=podium_reader:… — run once by an administrator of the server.
-- Not tried: the tests run on an engine without users. Replace PODIUM_PASSWORD and
-- READER_PASSWORD, as docker-compose.clickhouse.yml does.

CREATE USER IF NOT EXISTS podium IDENTIFIED BY 'PODIUM_PASSWORD';
GRANT SELECT, INSERT, ALTER, CREATE TABLE, DROP TABLE, CREATE DATABASE ON podium.* TO podium;
GRANT SELECT ON system.processes TO podium;
GRANT KILL QUERY ON *.* TO podium;
-- Inserts read the entries through the table function input().
GRANT CREATE TEMPORARY TABLE ON *.* TO podium;

-- On replicas (`?cluster=`): statements for all servers, and what the next turn asks of them.
GRANT CLUSTER, REMOTE ON *.* TO podium;
GRANT SELECT ON system.zookeeper TO podium;
GRANT SELECT ON system.replicas TO podium;
GRANT SELECT ON system.clusters TO podium;

-- Queries of clients: they read the entries, and set their own limits together with readonly.
CREATE USER IF NOT EXISTS podium_reader IDENTIFIED BY 'READER_PASSWORD';
GRANT SELECT ON podium.* TO podium_reader;
