/** Redaction: which texts are addresses, which only look like one, and what of a result is touched. */
import { describe, expect, it } from '@jest/globals';
import { redactRows, redactText } from '../../../../src/logs/redaction/redact.js';

/** The address stands between the brackets `‹` and `›`. */
const ADDRESSES: readonly string[] = [
  // IPv4
  '‹10.0.0.1›',
  '‹0.0.0.0› and ‹255.255.255.255›',
  'from ‹192.168.1.77›.',
  'from ‹192.168.1.77›, ‹8.8.8.8›;‹1.1.1.1›',
  '(‹127.0.0.1›)',
  '"‹127.0.0.1›"',
  '‹10.0.0.1›:8080',
  'http://‹10.0.0.1›:8080/path?ip=‹10.0.0.2›&x=1',
  'user@‹10.0.0.1›',
  'net ‹10.0.0.0›/8',
  '‹10.0.0.1›-‹10.0.0.9›',
  '‹10.0.0.1›..‹10.0.0.9›',
  'ip=‹10.0.0.1›|port=1',
  'ip:‹10.0.0.1›',
  'ip‹10.0.0.1›',
  'v‹1.2.3.4›',
  'x_‹1.2.3.4›_y',
  '‹1.0.0.10›.in-addr.arpa',
  '…‹10.0.0.1›…',
  '‹1.2.3.4›-beta',
  '12:34:56 ‹10.0.0.1› GET /rest/v1.2',
  '{"ip":"‹10.0.0.1›","status":200}',
  '<‹10.0.0.1›>\n‹10.0.0.2›\t',
  // IPv6: RFC 4291, section 2.2
  '‹ABCD:EF01:2345:6789:ABCD:EF01:2345:6789›',
  '‹2001:DB8:0:0:8:800:200C:417A›',
  '‹FF01:0:0:0:0:0:0:101›',
  '‹0:0:0:0:0:0:0:1›',
  '‹0:0:0:0:0:0:0:0›',
  '‹2001:DB8::8:800:200C:417A›',
  '‹FF01::101›',
  '‹::1›',
  '‹::›',
  '‹0:0:0:0:0:0:13.1.68.3›',
  '‹0:0:0:0:0:FFFF:129.144.52.38›',
  '‹::13.1.68.3›',
  '‹::FFFF:129.144.52.38›',
  '‹2001:0DB8:0000:CD30:0000:0000:0000:0000›/60',
  '‹2001:0DB8::CD30:0:0:0:0›/60',
  '‹2001:0DB8:0:CD30::›/60',
  // IPv6: RFC 5952
  '‹2001:db8:0:0:1:0:0:1›',
  '‹2001:0db8:0:0:1:0:0:1›',
  '‹2001:db8::0:1:0:0:1›',
  '‹2001:DB8:0:0:1::1›',
  '‹2001:db8:aaaa:bbbb:cccc:dddd:eeee:0001›',
  '‹::ffff:192.0.2.1›',
  '[‹2001:db8::1›]:80',
  '[‹2001:db8::1›]',
  '‹2001:db8::1› port 80',
  '‹2001:db8::1›, 80',
  '‹2001:db8::1›#80',
  '‹2001:db8:1:2:3:4:5:6›:443',
  '‹::ffff:10.1.2.3›:8080',
  '‹2001:db8::1›.443 > ‹2001:db8:1:2:3:4:5:6›.5353',
  // Zones (RFC 4007, RFC 6874)
  '‹fe80::1%eth0›',
  '‹fe80::1%eth0.100›/64',
  '‹fe80::1%12›.',
  'http://[‹fe80::a%25en1›]:80/',
  '‹fe80::1%eth0›:8080',
  '‹fe80::1%wlan-0› and ‹fe80::2›',
  '‹fe80::1›% done',
  // Among other text
  '‹fe80::1›: connection refused',
  'at ‹fe80::1›.',
  'from ‹2001:db8::1›,‹2001:db8::2›;‹::1›',
  '"‹2001:db8::1›"',
  "'‹::1›'",
  'ip:‹2001:db8::1›',
  'code:‹fe80::1›',
  'remote_ip=‹2001:db8::1›&x',
  'addr:‹::1›',
  'listening on ‹::›:8080',
  '[‹::›]:443',
  'x=:‹2001:db8::1›',
  'deadbeef:‹fe80::1›',
  '1700000000:‹fe80::1›',
  '‹2001:db8::1›:1234567',
  '‹2001:db8::1›:ok',
  '‹dead:beef::cafe›',
  '‹fdab::cafe›',
  '(‹::ffff:0:255.255.255.255›)',
  'é‹2001:db8::1›é',
  '‹::ffff:1.2.3.4›xyz',
];

const OTHERS: readonly string[] = [
  '',
  'nothing here',
  '12:34:56',
  '12:34:56.789',
  '2026-03-17T14:47:02.123456Z',
  '2026-03-17T14:47:02+02:00',
  '[17/Mar/2026:14:47:02 +0000]',
  'Tue Mar 17 14:47:02 2026',
  '1.2.3',
  'v1.2.3',
  '1.2.3.4.5',
  'release 10.0.0.1.7',
  '1.2.3.4.5.6.7.8',
  '256.1.1.1',
  '1.2.3.256',
  '1.2.3.999',
  '1.2.3.1000',
  '0001.2.3.4',
  '1.2.3.',
  '.1.2.3',
  '1..2.3.4',
  '1.2..3.4',
  '1,2,3,4',
  '3.14159',
  'aa:bb:cc:dd:ee:ff',
  '00:1B:44:11:3A:B7',
  '001b.4411.3ab7',
  'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
  '16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
  'std::vector',
  'std::bad_alloc',
  'std::bad',
  'std::dec',
  'a::b',
  'A::B',
  'Bad::Cafe',
  'ActiveRecord::Base',
  'ActiveRecord::Base::Ade',
  'Foo::A::B::C',
  'Foo::Add::C3',
  'foo::bar(::baz)',
  '::Module',
  'Foo::',
  'Type::<u8>',
  'crate::face::added_by',
  'x ::: y',
  '::::',
  'a:b:c',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9:10',
  '12345::1',
  '1:2:3:4:5:6:7::8:9',
  'fe80::1::2',
  'g::1',
  '::1g',
  '::ffff:256.1.1.1',
  'c:\\path\\to:1',
  'key:value:other',
  ':::',
  '..........',
  'ratio 3:2:1',
  'http://example.com:8080/a.b.c.d',
];

describe('redaction', () => {
  it.each(ADDRESSES)('takes out %s', (marked) => {
    const text = marked.replaceAll(/[‹›]/g, '');
    expect(redactText(text)).toBe(marked.replaceAll(/‹[^›]*›/g, 'REDACTED'));
  });

  it.each(OTHERS)('leaves %j alone', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('reaches every string value and nothing else', () => {
    const row = {
      id: '6f1c0a8e-0000-4000-8000-000000000000',
      event_message: 'GET /rest/v1 | 200 | 10.1.2.3',
      metadata: {
        request: { headers: { cf_connecting_ip: '2001:db8::1', '10.0.0.1': 'a key' }, port: 443 },
        hops: ['10.0.0.1', ['::1', { via: '1.2.3.4' }], null, 1.5, true],
        version: '1.2.3',
      },
      count: 10,
    };
    expect(redactRows([row])).toEqual([
      {
        ...row,
        event_message: 'GET /rest/v1 | 200 | REDACTED',
        metadata: {
          request: { headers: { cf_connecting_ip: 'REDACTED', '10.0.0.1': 'a key' }, port: 443 },
          hops: ['REDACTED', ['REDACTED', { via: 'REDACTED' }], null, 1.5, true],
          version: '1.2.3',
        },
      },
    ]);
    expect(row.metadata.hops[0]).toBe('10.0.0.1');
  });

  it('returns the same objects where nothing is to be taken out', () => {
    const clean = { a: ['x', { b: 'y' }], c: { d: null } };
    const dirty = { kept: clean, ip: '10.0.0.1' };
    const rows = [clean, dirty];
    expect(redactRows([clean])[0]).toBe(clean);
    const [first, second] = redactRows(rows);
    expect(first).toBe(clean);
    expect(second?.kept).toBe(clean);
    const untouched = [clean, clean];
    expect(redactRows(untouched)).toBe(untouched);
  });
});
