import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dir, '../..')

export interface File {
  path: string
  text: string
}

const FOREIGN = /(^|\/)(node_modules|dist|data|\.tools|\.git)\//

/** Does not use git, because the tests also run on a plain copy of the files. */
export const files = (pattern: string): File[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })]
    .filter((path) => !FOREIGN.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
