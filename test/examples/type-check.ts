import { dirname } from 'node:path';
import ts from 'typescript';

/** Type errors of some files under the project's own settings, or stricter ones, as `file:line: message`. */
export function typeErrors(
  configFile: string,
  files: readonly string[],
  describe: (file: string) => string,
  stricter: ts.CompilerOptions = {},
): string[] {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, dirname(configFile));
  const program = ts.createProgram(files, { ...options, ...stricter });
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? []);
  return sources.flatMap((source) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
      const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
      const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
      return `${describe(source.fileName)}:${line + 1}: ${text}`;
    }),
  );
}
