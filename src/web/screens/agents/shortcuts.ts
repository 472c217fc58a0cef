import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the list of agents, handled in agents/keys.ts. */
export const ON_AGENTS = defineShortcuts('agents', {
  next: { keys: ['j', 'ArrowDown'], description: t('agents.next_agent'), repeats: true },
  back: { keys: ['k', 'ArrowUp'], description: t('agents.previous_agent'), repeats: true },
  create: { keys: ['n'], description: t('agents.new_agent') },
})

/** The shortcuts of a run, handled in agents/run.tsx. */
export const IN_RUN = defineShortcuts('run', {
  prompt: { keys: ['m'], description: t('agents.prompt_the_agent') },
  send: { keys: ['$mod+Enter'], description: t('agents.send') },
  find: { keys: ['f'], description: t('agents.find_in_the_transcript') },
  next: { keys: ['n'], description: t('agents.next_match') },
  back: { keys: ['Shift+n'], description: t('agents.previous_match') },
  start: { keys: ['Home'], description: t('agents.go_to_the_start') },
  end: { keys: ['End'], description: t('agents.go_to_the_end') },
})
