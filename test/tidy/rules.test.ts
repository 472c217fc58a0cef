import { expect, test } from 'bun:test'
import { rules } from '../rules.ts'
import type { Rule } from '../support/rule.ts'
import { readFiles } from '../support/source-files.ts'

const tests = new Map(readFiles('test/**/*.ts').map(({ path, text }) => [path, text]))

/** Rules whose proof is no existing test. */
const rulesWithoutTest = (table: readonly Rule[]) =>
  table.filter(([, , proof]) => {
    const [file = '', ...name] = proof.split(': ')
    return !name.length || !tests.get(`test/${file}`)?.includes(name.join(': '))
  })

test('every rule of the interface names the test that proves it', () => {
  const thisFile = 'tidy/rules.test.ts'
  expect(rulesWithoutTest([['0', 'x', `${thisFile}: every rule of the interface`]])).toEqual([])
  expect(
    rulesWithoutTest([['0', 'x', `${thisFile}: ${['no', 'such'].join(' ')} test`]]),
  ).toHaveLength(1)
  expect(rulesWithoutTest([['0', 'x', 'nowhere.test.ts: a test']])).toHaveLength(1)
  expect(rulesWithoutTest(rules).map(([part, rule]) => `${part} ${rule}`)).toEqual([])
})
