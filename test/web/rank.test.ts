import { expect, test } from 'bun:test'
import { matchScore, rankByMatch } from '../../src/web/kit/rank.ts'

test('a match scores higher the earlier and the more complete it is in the name', () => {
  const query = 'set'
  const names = ['Settings', 'Type set', 'Reset', 'Sleep until', 'Inbox']
  const scores = names.map((name) => matchScore(query, name))
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(matchScore(query, 'Settings')).toBeGreaterThan(matchScore(query, 'Type set'))
  expect(matchScore(query, 'Type set')).toBeGreaterThan(matchScore(query, 'Reset'))
  expect(matchScore(query, 'Inbox')).toBe(0)
})

test('beginnings of several words match in any order, and synonyms match too', () => {
  expect(matchScore('bo go', 'Go to a board…')).toBe(3)
  expect(matchScore('log', 'Sign out', 'log out leave')).toBe(3)
  expect(matchScore('über', 'Über uns')).toBe(5)
})

test('equal matches keep their order, and an empty query matches everything', () => {
  const boards = [{ name: 'Home' }, { name: 'Operations' }, { name: 'Hobby' }]
  expect(rankByMatch('ho', boards).map(({ name }) => name)).toEqual(['Home', 'Hobby'])
  expect(rankByMatch(' ', boards)).toEqual(boards)
})
