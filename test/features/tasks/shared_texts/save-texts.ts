import type { Logger } from 'pino'
import { TextSaver } from '../../../../src/workers/text-saver.ts'
import type { World } from '../../../support/world.ts'

/** Saves all shared texts, as the server does when their authors pause. */
export async function saveTexts({ store, dispatch, signals, clock }: World): Promise<void> {
  const errors: unknown[] = []
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as unknown as Logger
  await new TextSaver({ store, dispatch, signals, clock: clock.read, log }).saveAll()
  if (errors.length) throw errors[0]
}
