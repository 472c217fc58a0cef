import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { matchWord, respell } from '../../src/kernel/respell.ts'

const Rule = t.Union([t.Literal('Weekly'), t.Literal('Biweekly'), t.Null()])
const Choice = t.Union([t.Literal('BlockedBy'), t.Literal('blocked-by'), t.Literal('Free')])

describe('a listed word gets its exact spelling', () => {
  for (const [name, schema, value, expected] of [
    ['in lower case', Rule, 'weekly', 'Weekly'],
    ['with separators', Rule, ' bi-WEEKLY', 'Biweekly'],
    ['in a list', t.Array(Rule), ['weekly', 'Weekly', null], ['Weekly', 'Weekly', null]],
    ['one of several or a list', t.Union([...Rule.anyOf, t.Array(Rule)]), ['weekly'], ['Weekly']],
    ['in an object', t.Object({ rule: Rule }), { rule: 'weekly' }, { rule: 'Weekly' }],
    ['a single constant', t.Literal('On'), 'on', 'On'],
  ] as const)
    test(name, () => {
      expect(respell(schema, value)).toEqual(expected as never)
    })
})

describe('everything else stays as it is', () => {
  for (const [name, schema, value] of [
    ['an unknown word', Rule, 'yearly'],
    ['a word that two choices spell alike', Choice, 'BLOCKED BY'],
    ['free text', t.String(), 'weekly'],
    ['a number', Rule, 7],
    ['null', Rule, null],
    ['an unknown field', t.Object({ rule: Rule }), { other: 'weekly' }],
    ['a field of the prototype', t.Object({ rule: Rule }), JSON.parse('{"__proto__":"weekly"}')],
    ['a list in place of a word', Rule, ['weekly']],
    ['a long word', Rule, 'w'.repeat(100_000)],
  ] as const)
    test(name, () => {
      expect(respell(schema, value)).toBe(value as never)
    })
})

test('an exact word takes precedence over one that differs in case', () => {
  expect(matchWord('blocked-by', ['BlockedBy', 'blocked-by'])).toBe('blocked-by')
  expect(matchWord('blockedby', ['BlockedBy', 'blocked-by'])).toBeUndefined()
  expect(matchWord('', ['a'])).toBeUndefined()
})
