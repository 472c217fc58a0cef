import type { operations } from '../../../../src/features/tasks/shared_texts/operations/index.ts'
import { BOARD, logoId, type SamplesOf } from '../../../support/operation-sample.ts'
import type { World } from '../../../support/world.ts'

const push = async (w: World) => {
  const { number, text } = await w.ada['shared_texts.get'](logoId(w))
  const changes = [[text!.length, [0, '', 'In gold.']]]
  return { ...logoId(w), number, client_id: 'editor', changes }
}

export const samples: SamplesOf<typeof operations> = {
  'shared_texts.get': {
    input: logoId,
    furtherInputs: [
      async (w) => {
        const change = await push(w)
        await w.ada['shared_texts.push'](change)
        return { ...logoId(w), after: change.number }
      },
    ],
    referenceNeeds: { page_id: { task_id: undefined } },
    allowed: [...BOARD, 'reading key'],
    noCommand: 'only an editor applies change sets',
  },
  'shared_texts.push': {
    input: push,
    furtherInputs: [
      async (w) => {
        const input = await push(w)
        await w.ada['shared_texts.push'](input)
        return input
      },
    ],
    referenceNeeds: { page_id: { task_id: undefined } },
    allowed: BOARD,
    approval: 'never',
    noTexts: { 'changes[][][]': 'a line of a change set, which must fit the text' },
    lease: 'required',
    noCommand: 'only an editor makes change sets',
  },
}
