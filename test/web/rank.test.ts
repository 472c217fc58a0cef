import { expect, test } from 'bun:test'
import { fit, rankByMatch } from '../../src/web/frame/rank.ts'

test('a match scores higher the earlier and the more complete it is in the name', () => {
  const typed = 'set'
  const names = ['Settings', 'Type set', 'Reset', 'Sleep until', 'Inbox']
  const fits = names.map((name) => fit(typed, name))
  expect(fits).toEqual([...fits].sort((a, b) => b - a))
  expect(fit(typed, 'Settings')).toBeGreaterThan(fit(typed, 'Type set'))
  expect(fit(typed, 'Type set')).toBeGreaterThan(fit(typed, 'Reset'))
  expect(fit(typed, 'Inbox')).toBe(0)
})

test('beginnings of several words match in any order, and synonyms match too', () => {
  expect(fit('bo go', 'Go to a board…')).toBe(3)
  expect(fit('log', 'Sign out', 'log out leave')).toBe(3)
  expect(fit('über', 'Über uns')).toBe(5)
})

test('equal matches keep their order, and an empty query matches everything', () => {
  const some = [{ name: 'Home' }, { name: 'Operations' }, { name: 'Hobby' }]
  expect(rankByMatch('ho', some).map(({ name }) => name)).toEqual(['Home', 'Hobby'])
  expect(rankByMatch(' ', some)).toEqual(some)
})
