import { expect, test } from 'bun:test'
import { newestPosition, notePosition } from '../../src/web/data/position.ts'

test('the page keeps the newest position, and none after a write without one', () => {
  notePosition('00000001000000000000000b')
  notePosition('00000001000000000000000a')
  expect(newestPosition()).toBe('00000001000000000000000b')
  notePosition(null)
  expect(newestPosition()).toBeUndefined()
})
