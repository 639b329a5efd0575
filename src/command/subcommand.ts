/** Where a subcommand writes its lines. */
export interface CommandOutput {
  /** A line of the result, to stdout. */
  out(line: string): void;
  /** A line about what went wrong, to stderr. */
  err(line: string): void;
}

/**
 * What a subcommand does with the arguments behind its name.
 *
 * @returns The exit code: 0 when all went well, 1 when it did not, 2 when the arguments are not understood.
 */
export type RunSubcommand = (args: readonly string[], output: CommandOutput) => Promise<number>;

/** One row of the table of subcommands. */
export interface Subcommand {
  /** What follows `online-ordering-sdk`. */
  readonly name: string;
  /** One line of `--help`. */
  readonly summary: string;
  /** Its code, loaded when it is asked for only. It takes `--help` itself. */
  readonly load: () => Promise<RunSubcommand>;
}
