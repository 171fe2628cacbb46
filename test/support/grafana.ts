/** A dashboard over the Infinity plugin, and the requests that Grafana makes for its panels. */

export interface PanelColumn {
  readonly selector: string;
  readonly text: string;
  readonly type: 'timestamp' | 'number' | 'string';
}

interface PanelTarget {
  readonly datasource: { readonly uid: string };
  readonly url: string;
  readonly url_options: {
    readonly method: 'GET';
    readonly params: readonly { readonly key: string; readonly value: string }[];
  };
  readonly root_selector: string;
  readonly columns: readonly PanelColumn[];
}

interface Panel {
  readonly title: string;
  readonly targets: readonly [PanelTarget];
}

export interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly query: string;
      readonly current: { readonly value?: string };
    }[];
  };
}

/** Values by the name of their variable. `from` and `to` are the range of the dashboard. */
export interface DashboardState {
  readonly variables: Readonly<Record<string, string>>;
  readonly from: Date;
  readonly to: Date;
}

const VARIABLE = /\$(\w+)|\$\{(\w+)(?::([^}]+))?\}/g;

const FORMATS: Readonly<Record<string, (value: string) => string>> = {
  glob: (value) => value,
  regex: (value) => value.replaceAll(/[\\^$*+?.()|[\]{}/]/g, '\\$&'),
  'date:iso': (value) => new Date(Number(value)).toISOString(),
};

/** Replaces variables as Grafana does. Throws for a variable or a format that is not there, which Grafana would send as it is. */
const interpolated = (text: string, { variables, from, to }: DashboardState): string => {
  const all = { ...variables, __from: String(from.getTime()), __to: String(to.getTime()) };
  return text.replaceAll(VARIABLE, (written, bare?: string, braced?: string, format = 'glob') => {
    const value = new Map(Object.entries(all)).get(bare ?? braced ?? '');
    const write = FORMATS[format];
    if (value === undefined || write === undefined) throw new Error(`Grafana knows no ${written}`);
    return write(value);
  });
};

/** The path and query of a panel's request. The plugin encodes the parameters. */
export const panelPath = ({ targets: [{ url, url_options }] }: Panel, state: DashboardState): string => {
  const parameters = url_options.params.map(({ key, value }): [string, string] => [
    key,
    interpolated(value, state),
  ]);
  return `${interpolated(url, state)}?${new URLSearchParams(parameters)}`;
};
