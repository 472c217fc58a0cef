import { expect, test } from 'bun:test'
import { casual, GB } from 'chrono-node/en'
import fc from 'fast-check'
import { findDates } from '../../src/features/inbox/my_tasks/model/natural/dates.ts'
import {
  findMarks,
  findPriorities,
  findSizes,
} from '../../src/features/inbox/my_tasks/model/natural/marks.ts'
import { readSchedule } from '../../src/features/inbox/my_tasks/model/natural/schedule.ts'
import { escapeInTitle } from '../../src/web/entities/task/escape.ts'
import { completeMark, openMarkIn } from '../../src/web/entities/task/title-marks.ts'
import { mayHaveFields } from '../../src/web/entities/task/title-words.ts'

const context = {
  now: Temporal.ZonedDateTime.from('2026-11-30T09:00[Europe/Berlin]'),
  monthFirst: false,
  parsers: { casual, GB },
}

const WORDS = `call kim on at by in the every other second first last day week weekend month quarter
  year daily weekly monthly yearly annually fortnight fortnightly biweekly today tomorrow tonight
  yesterday noon morning evening night next this coming monday tue wed thursday fri sat sunday jan
  february march april may june july august sep oct november december 3 14:00 9am two three half an
  hour minutes until after completion times weekdays hourly starting due for #bug @kim !1 ~M`
const word = fc.constantFrom(...WORDS.split(/\s+/))

test('a line without such words has no fields, so it need not be sent to the server', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
      const line = words.join(' ')
      if (mayHaveFields(line)) return
      const { due_date, recurrence } = readSchedule(line, context)
      expect([due_date, recurrence]).toEqual([null, null])
      expect(findDates(line)).toEqual([])
      expect([findPriorities(line), findSizes(line)]).toEqual([[], []])
      expect([findMarks(line, '#'), findMarks(line, '@')]).toEqual([[], []])
    }),
    { numRuns: 2000 },
  )
})

test('usual titles are not sent', () => {
  for (const title of ['Buy milk', 'Call the gardener', 'Fix login at home', 'Paint fence'])
    expect([title, mayHaveFields(title)]).toEqual([title, false])
})

test('a mark before the cursor is completed, with one space after it', () => {
  const text = 'Mow #la soon'
  const mark = openMarkIn(text, 7)!
  expect(mark).toEqual({ sign: '#', word: 'la', from: 4, to: 7 })
  expect(completeMark(text, mark, 'lawn')).toEqual({ text: 'Mow #lawn soon', cursor: 10 })
  expect(openMarkIn('kim@example.org', 15)).toBeUndefined()
  expect(openMarkIn('Mow #lawn soon', 14)).toBeUndefined()
})

test('a part that is kept as text is escaped where it stands', () => {
  expect(escapeInTitle('Mow ~M', { text: '~M', from: 4 })).toBe('Mow \\~M')
  expect(escapeInTitle('Mow tomorrow', { text: 'tomorrow', from: 4 })).toBe('Mow "tomorrow"')
})
