import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { binary } from '../../scripts/build.ts'

test('the executable is at most 20 MB larger than the runtime in it', () => {
  const megabytes = (path: string) => statSync(path).size / 1e6
  expect(megabytes(binary)).toBeLessThanOrEqual(megabytes(process.execPath) + 20)
})
