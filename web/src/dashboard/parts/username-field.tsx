/** Tells password managers which account a password form belongs to. Users do not see it. */
export const UsernameField = ({ email }: { readonly email: string }) => (
  <input
    className="hidden"
    type="text"
    autoComplete="username"
    defaultValue={email}
    tabIndex={-1}
    readOnly
    aria-hidden="true"
  />
);
