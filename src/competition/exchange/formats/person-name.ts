/**
 * Splits and joins the association's notation for a name in two scripts, `Kim Tae Hyung (金兑衡)`. Only a name in
 * another script is a localized name: the brackets of `Mike (Junior) Smith` or `Ann (Annie)` belong to the name.
 */

export interface SplitName {
  readonly name: string;
  /** The name in the person's own script. */
  readonly localizedName: string | null;
}

export const splitName = (text: string): SplitName => {
  const whole = text.trim().replaceAll(/\s+/g, ' ');
  const [, latin, local] = /^(.+?)\s*[(（]([^()（）]+)[)）]$/u.exec(whole) ?? [];
  if (latin === undefined || local === undefined || !/(?!\p{Script=Latin})\p{L}/u.test(local)) {
    return { name: whole, localizedName: null };
  }
  return { name: latin, localizedName: local.trim() };
};

export const joinName = ({ name, localizedName }: SplitName): string =>
  localizedName === null ? name : `${name} (${localizedName})`;

/** Returns whether splitting the joined name gives the same two names. */
export const isSplitAgain = (names: SplitName): boolean => {
  const { name, localizedName } = splitName(joinName(names));
  return name === names.name && localizedName === names.localizedName;
};
