import type { operations } from '../../../../src/features/conversation/chat/operations/index.ts'
import { sampleThread } from '../../../support/chat-threads.ts'
import { EVERYONE, PEOPLE, type SamplesOf } from '../../../support/operation-sample.ts'

export const samples: SamplesOf<typeof operations> = {
  'chat.status': {
    input: () => ({}),
    // The thread of the sample belongs to the owner.
    allowed: [...EVERYONE, 'reading key'],
    unset: { 'needs a service outside, or an address': ['provider', 'model'] },
  },
  'chat.threads': {
    input: () => ({}),
    allowed: [...PEOPLE, 'reading key'],
    unset: {
      'is set by another credential or another order of requests than the samples use': [
        'items[].task',
        'items[].task.task_id',
        'items[].task.ticket_number',
        'items[].task.title',
      ],
    },
  },
  'chat.thread': {
    input: sampleThread,
    allowed: ['owner', 'reading key'],
    unset: {
      'needs a service outside, or an address': ['messages[].trouble'],
      'is set by another credential or another order of requests than the samples use': [
        'task',
        'messages[].parts[].output',
        'messages[].parts[].trouble',
        'messages[].parts[].trouble.error',
        'messages[].parts[].trouble.message',
        'messages[].parts[].trouble.hint',
        'messages[].parts[].trouble.details',
      ],
    },
  },
  'chat.update': {
    input: async (w) => ({ ...(await sampleThread(w)), title: 'Plans', allow_writes: true }),
    allowed: ['owner'],
  },
  'chat.delete': { input: sampleThread, allowed: ['owner'] },
  'chat.stop': { input: sampleThread, allowed: ['owner'] },
  'chat.undo': {
    input: async (w) => ({ ...(await sampleThread(w)), tool_call_id: 'call_1' }),
    allowed: ['owner'],
    lease: { none: 'only people chat, and what it calls asks for itself' },
  },
  'chat.reply': {
    input: async (w) => ({ ...(await sampleThread(w)), text: '@Bot I am half-way.' }),
    allowed: ['owner', 'agent'],
    noTexts: { text: 'goes to a model' },
  },
}
