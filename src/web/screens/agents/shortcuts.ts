import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the list of agents, handled in agents/keys.ts. */
export const ON_AGENTS = {
  next: { keys: ['j', 'ArrowDown'], does: t('agents.next_agent'), held: true },
  back: { keys: ['k', 'ArrowUp'], does: t('agents.previous_agent'), held: true },
  create: { keys: ['n'], does: t('agents.new_agent') },
} as const satisfies Table

/** The shortcuts of a run, handled in agents/run.tsx. */
export const IN_RUN = {
  prompt: { keys: ['m'], does: t('agents.prompt_the_agent') },
  send: { keys: ['$mod+Enter'], does: t('agents.send') },
  find: { keys: ['f'], does: t('agents.find_in_the_transcript') },
  next: { keys: ['n'], does: t('agents.next_match') },
  back: { keys: ['Shift+n'], does: t('agents.previous_match') },
  start: { keys: ['Home'], does: t('agents.go_to_the_start') },
  end: { keys: ['End'], does: t('agents.go_to_the_end') },
} as const satisfies Table
