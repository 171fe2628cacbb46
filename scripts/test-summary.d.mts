/** Types of test-summary.mjs for its test. */
export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Part {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notRun: readonly string[];
  readonly failures: readonly string[];
}

export function kindsFor(args: readonly string[]): readonly string[];
export function summarise(name: string, report: JestReport | null, status: number): Part;
export function summaryLine(parts: readonly Part[]): string;
export function engineLines(text: string): {
  readonly used: readonly string[];
  readonly notRun: readonly string[];
};
