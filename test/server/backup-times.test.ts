import { expect, test } from 'bun:test'
import { nextBackup } from '../../src/commands/backup-times.ts'
import { readConfig } from '../../src/config/index.ts'

const at = (text: string) => new Date(`2026-11-30T${text}`)
const schedule = (text: string) => readConfig({ CORK_BACKUP_SCHEDULE: text }).backupSchedule!

test('a daily backup is due today if its time is still to come, otherwise tomorrow', () => {
  expect(nextBackup(schedule('03:15'), at('02:00:00'))).toEqual(at('03:15:00'))
  expect(nextBackup(schedule('03:15'), at('03:15:00'))).toEqual(new Date('2026-12-01T03:15:00'))
})

test('a backup every six hours is due at hours that six divides', () => {
  const due = nextBackup(schedule('6h'), new Date('2026-11-30T07:30:00Z'))
  expect(due).toEqual(new Date('2026-11-30T12:00:00Z'))
})

test('a schedule that is neither a time nor hours is refused with an example', () => {
  for (const text of ['24:00', '3', '0h', '1000h', 'daily'])
    expect(() => schedule(text)).toThrow('must be a time such as 03:15')
})
