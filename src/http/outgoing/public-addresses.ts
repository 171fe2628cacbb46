/**
 * Which addresses belong to the public internet. A server that posts to URLs of its users must reach no others: behind them are its
 * own network, the metadata of its cloud, and itself. From the registries of special-purpose addresses (RFC 6890). Pure.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** All that is public. */
const GLOBAL_IPV6 = ['2000::/3'];
/** Those in it that are not, or that stand for an IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (ranges: readonly string[], type: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), type);
  }
  return list;
};

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');

/** Whether the address is public. Any other text is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4');
  return isIPv6(address) && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
};
