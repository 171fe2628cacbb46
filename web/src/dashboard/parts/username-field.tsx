/** Whose password is asked for, where nobody has to type it: password managers look for it. */
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
