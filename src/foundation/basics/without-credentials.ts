/**
 * `mongodb://user:secret@host/db` as `mongodb://host/db`, for messages. Where a secret may hold a `/`, `?` or `@` that should have
 * been percent-encoded, nothing tells where it ends: then no more than the scheme is shown.
 */
export const withoutCredentials = (url: string): string => {
  const [, scheme = '', rest = url] = /^([a-z+]+:\/\/)(.*)$/s.exec(url) ?? [];
  const shown = rest.replace(/^[^/?]*@/, '');
  return `${scheme}${scheme !== '' && shown.includes('@') ? '…' : shown}`;
};
