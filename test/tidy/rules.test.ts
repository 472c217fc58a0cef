import { expect, test } from 'bun:test'
import { later, type Rule } from '../rule.ts'
import { rules } from '../rules.ts'
import { files } from './files.ts'

const tests = new Map(files('test/**/*.ts').map(({ path, text }) => [path, text]))

/** Rules whose proof is neither an existing test nor `later`. */
const dangling = (table: readonly Rule[]) =>
  table.filter(([, , proof]) => {
    if (proof === later) return false
    const [file = '', ...name] = proof.split(': ')
    return !name.length || !tests.get(`test/${file}`)?.includes(name.join(': '))
  })

test('every rule of the interface names the test that proves it', () => {
  const here = 'tidy/rules.test.ts'
  expect(dangling([['0', 'x', `${here}: every rule of the interface`]])).toEqual([])
  expect(dangling([['0', 'x', `${here}: ${['no', 'such'].join(' ')} test`]])).toHaveLength(1)
  expect(dangling([['0', 'x', 'nowhere.test.ts: a test']])).toHaveLength(1)
  expect(dangling(rules).map(([part, rule]) => `${part} ${rule}`)).toEqual([])
})
