import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dir, '../..')

export interface File {
  path: string
  text: string
}

const EXCLUDED = /^data\/|(^|\/)(node_modules|dist|\.tools|\.git)\//

/** Does not use git, because the tests also run on a copy without a repository. */
export const readFiles = (...patterns: string[]): File[] =>
  patterns
    .flatMap(pathsOf)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Throws if a pattern matches no file, because a rule about no files would always pass. */
function pathsOf(pattern: string): string[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })]
  const included = paths.filter((path) => !EXCLUDED.test(path))
  if (!included.length) throw new Error(`No file matches ${pattern}`)
  return included
}
