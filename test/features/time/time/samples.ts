import type { operations } from '../../../../src/features/time/time/operations/index.ts'
import { BOARD, EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

function taskIdentifier({ tasks }: World) {
  return { task_identifier: tasks.logo.ticket_number }
}

/** Starts a timer of the owner, after stopping a running one. */
async function startTimer(w: World) {
  const { state } = await w.ada['time.status'](taskIdentifier(w))
  if (state !== 'none') await w.ada['time.stop'](taskIdentifier(w))
  await w.ada['time.start'](taskIdentifier(w))
  return taskIdentifier(w)
}

/** Logs time of the owner. */
async function logTime(w: World) {
  const { entry_id } = await w.ada['time.log']({ ...taskIdentifier(w), minutes: 30 })
  return { entry_id }
}

export const samples: SamplesOf<typeof operations> = {
  'time.start': { input: taskIdentifier, allowed: BOARD, approval: 'never' },
  'time.stop': {
    input: startTimer,
    // The sample is a time entry of the owner.
    allowed: ['owner'],
    approval: 'never',
  },
  'time.status': {
    input: taskIdentifier,
    furtherInputs: [
      async (w) => {
        const task_identifier = w.tasks.link.ticket_number
        const { state } = await w.ada['time.status']({ task_identifier })
        if (state === 'none') await w.ada['time.start']({ task_identifier })
        return { task_identifier }
      },
    ],
    allowed: [...BOARD, 'reading key'],
  },
  'time.running': { input: () => ({}), allowed: [...EVERYONE, 'reading key'] },
  'time.report': {
    input: () => ({ group_by: 'task' }),
    allowed: [...EVERYONE, 'reading key'],
    notInChat: 'a report is read in the app',
    unset: { 'is a file over REST, so that there is no record to check': ['csv'] },
  },
  'time.log': {
    input: (w) => ({ ...taskIdentifier(w), minutes: 30, date: '2026-11-19' }),
    allowed: BOARD,
    approval: 'never',
  },
  'time.pause': { input: startTimer, allowed: ['owner'], approval: 'never' },
  'time.resume': {
    input: async (w) => {
      await w.ada['time.pause'](await startTimer(w))
      return taskIdentifier(w)
    },
    allowed: ['owner'],
    approval: 'never',
  },
  'time.list': { input: () => ({ user_id: 'me' }), allowed: [...EVERYONE, 'reading key'] },
  'time.update': {
    input: async (w) => ({ ...(await logTime(w)), minutes: 20 }),
    allowed: ['owner'],
    approval: 'never',
  },
  'time.delete': { input: logTime, allowed: ['owner'], approval: 'always' },
}
