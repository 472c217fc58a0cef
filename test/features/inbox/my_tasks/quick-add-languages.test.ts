import { expect, test } from 'bun:test'
import * as words from 'chrono-node/en'
import { titleOf } from '../../../../src/features/inbox/my_tasks/model/natural/literal.ts'
import { readSchedule } from '../../../../src/features/inbox/my_tasks/model/natural/schedule.ts'

/** A Wednesday. */
const now = Temporal.ZonedDateTime.from('2026-11-25T10:00[Europe/Berlin]')

function read(line: string, language: string) {
  const context = { now, monthFirst: false, language, parsers: words }
  const { due_date, recurrence, parts } = readSchedule(line, context)
  return [titleOf(line, parts), due_date?.slice(0, 16) ?? null, recurrence]
}

test('German dates, times and repeats are understood, and the rest is the title', () => {
  const german = (line: string) => read(line, 'de')
  expect(german('Miete zahlen morgen 9 Uhr')).toEqual(['Miete zahlen', '2026-11-26T09:00', null])
  expect(german('Übermorgen Ada anrufen')).toEqual(['Ada anrufen', '2026-11-27', null])
  expect(german('Bericht bis Freitag um 14:30')).toEqual(['Bericht', '2026-11-27T14:30', null])
  expect(german('Treffen am nächsten Montag')).toEqual(['Treffen', '2026-11-30', null])
  expect(german('Fest am 24. Dezember')).toEqual(['Fest', '2026-12-24', null])
  expect(german('Prüfen in 3 Tagen')).toEqual(['Prüfen', '2026-11-28', null])
  expect(german('Müll jeden Dienstag')).toEqual(['Müll', '2026-12-01', 'Weekly'])
  expect(german('Guten Morgen sagen')).toEqual(['Guten Morgen sagen', null, null])
  expect(german('Gießen täglich')).toEqual(['Gießen', '2026-11-25', 'Daily'])
})

test('French and Spanish dates, times and repeats are understood', () => {
  expect(read('Payer le loyer demain à 9h30', 'fr')).toEqual([
    ...['Payer le loyer', '2026-11-26T09:30', null],
  ])
  expect(read('Réunion lundi prochain', 'fr')).toEqual(['Réunion', '2026-11-30', null])
  expect(read('Rapport le 1er décembre', 'fr')).toEqual(['Rapport', '2026-12-01', null])
  expect(read('Arroser tous les jours', 'fr')).toEqual(['Arroser', '2026-11-25', 'Daily'])
  expect(read('Pagar el alquiler mañana a las 9', 'es')).toEqual([
    ...['Pagar el alquiler', '2026-11-26T09:00', null],
  ])
  expect(read('Informe el viernes', 'es')).toEqual(['Informe', '2026-11-27', null])
  expect(read('Fiesta el 24 de diciembre', 'es')).toEqual(['Fiesta', '2026-12-24', null])
  expect(read('Regar cada 2 semanas', 'es')).toEqual(['Regar', '2026-11-25', 'Biweekly'])
})

test('English is understood in every language, and other languages only in their own', () => {
  for (const language of ['en', 'de', 'fr', 'es', 'ja'])
    expect(read('Pay rent tomorrow at 9am', language)).toEqual([
      ...['Pay rent', '2026-11-26T09:00', null],
    ])
  expect(read('Guten Morgen sagen', 'en')).toEqual(['Guten Morgen sagen', null, null])
  expect(read('Demain', 'de')).toEqual(['Demain', null, null])
})
