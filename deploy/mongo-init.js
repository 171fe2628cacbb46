// Runs in mongosh: initiates the replica set `podium` and creates the user of the nodes. Idempotent.
const { MONGO_ROOT_PASSWORD, MONGO_PODIUM_PASSWORD } = process.env;
const as = (query) => `mongodb://root:${encodeURIComponent(MONGO_ROOT_PASSWORD)}@${query}`;
const roles = ['podium_read_models', 'podium_operational'].map((db) => ({ role: 'dbOwner', db }));

const first = connect(as('mongo-1/admin?directConnection=true'));
try {
  first.runCommand({ replSetGetStatus: 1 }).ok;
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  const members = ['mongo-1', 'mongo-2', 'mongo-3'].map((host, _id) => ({ _id, host: `${host}:27017` }));
  first.runCommand({ replSetInitiate: { _id: 'podium', members } });
}

const admin = connect(as('mongo-1,mongo-2,mongo-3/admin?replicaSet=podium&w=majority'));
if (admin.getUser('podium') === null) admin.createUser({ user: 'podium', pwd: MONGO_PODIUM_PASSWORD, roles });
else admin.updateUser('podium', { pwd: MONGO_PODIUM_PASSWORD, roles });
