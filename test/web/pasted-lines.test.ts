import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { countLines, readPastedLines } from '../../src/web/entities/task/pasted-lines.ts'

const leaf = (title: string) => ({ title, children: [] })

test('bullets, numbers, check boxes, quotes and headings are stripped', () => {
  const text = '- milk\n* [x] eggs\n1. flour\n2) salt\n## Later\n> quoted\n\n•  jam\n+ [ ] tea'
  expect(readPastedLines(text).map(({ title }) => title)).toEqual([
    ...['milk', 'eggs', 'flour', 'salt', 'Later', 'quoted', 'jam', 'tea'],
  ])
})

test('indented lines become subtasks of the line above them', () => {
  expect(readPastedLines('one\n\ttwo\n\t\tthree\n\tfour\nfive')).toEqual([
    { title: 'one', children: [{ title: 'two', children: [leaf('three')] }, leaf('four')] },
    leaf('five'),
  ])
  expect(readPastedLines('  one\n  two').map(({ title }) => title)).toEqual(['one', 'two'])
})

test('text that only looks like a prefix stays', () => {
  expect(readPastedLines('#bug\n-5 degrees\n3.5 litres\n[link]').map(({ title }) => title)).toEqual(
    ['#bug', '-5 degrees', '3.5 litres', '[link]'],
  )
})

test('each line with text is one task', () => {
  const line = fc.stringMatching(/^ {0,4}[a-z]{1,8}$/)
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      expect(countLines(readPastedLines(lines.join('\n')))).toBe(lines.length)
    }),
  )
})
