import { expect, test } from 'bun:test'
import { fit, rankByMatch } from '../../src/web/kit/rank.ts'

test('a match scores higher the earlier and the more complete it is in the name', () => {
  const query = 'set'
  const names = ['Settings', 'Type set', 'Reset', 'Sleep until', 'Inbox']
  const scores = names.map((name) => fit(query, name))
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(fit(query, 'Settings')).toBeGreaterThan(fit(query, 'Type set'))
  expect(fit(query, 'Type set')).toBeGreaterThan(fit(query, 'Reset'))
  expect(fit(query, 'Inbox')).toBe(0)
})

test('beginnings of several words match in any order, and synonyms match too', () => {
  expect(fit('bo go', 'Go to a board…')).toBe(3)
  expect(fit('log', 'Sign out', 'log out leave')).toBe(3)
  expect(fit('über', 'Über uns')).toBe(5)
})

test('equal matches keep their order, and an empty query matches everything', () => {
  const boards = [{ name: 'Home' }, { name: 'Operations' }, { name: 'Hobby' }]
  expect(rankByMatch('ho', boards).map(({ name }) => name)).toEqual(['Home', 'Hobby'])
  expect(rankByMatch(' ', boards)).toEqual(boards)
})
