import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkResults } from '../../scripts/bench/published.ts'

const root = mkdtempSync(join(tmpdir(), 'cork-published-'))
afterAll(() => rmSync(root, { recursive: true }))

function git(...args: string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const { stdout, stderr, exitCode } = Bun.spawnSync(['git', ...author, ...args], { cwd: root })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

function commitFile(path: string, text: string): string {
  writeFileSync(join(root, path), text)
  git('add', '-A')
  git('commit', '-q', '-m', path)
  return git('rev-parse', '--short', 'HEAD')
}

test('results are current until src changes, and results of an uncommitted tree never are', () => {
  git('init', '-q')
  for (const folder of ['src', 'bench']) mkdirSync(join(root, folder))
  const measured = commitFile('src/main.ts', 'first')
  const publish = (commit: string) =>
    writeFileSync(join(root, 'bench/RESULTS.md'), `- Commit: ${commit}\n`)
  publish(measured)
  commitFile('README.md', 'outside of src')
  expect(() => checkResults(root)).not.toThrow()
  commitFile('src/main.ts', 'second')
  expect(() => checkResults(root)).toThrow(`measured ${measured}, which has other sources`)
  publish(git('rev-parse', '--short', 'HEAD'))
  expect(() => checkResults(root)).not.toThrow()
  publish(`${measured}, with changes`)
  expect(() => checkResults(root)).toThrow('measured a tree with changes')
})
