import type { FactName } from './facts.ts'

export type Action = `svc_${string}.${string}`

export interface PromptArgument {
  name: string
  description: string
  required?: boolean
}

/** The arguments of a prompt after validation, and what its steps depend on. */
export interface StepInput {
  project_id: number
  key: string
  days: number
  goal: string | undefined
  task: string | undefined
  /** People change tasks without a lease. */
  isAgent: boolean
}

/** A task for a model: facts of a board, and the steps that lead to the result. */
export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** Tool actions that the steps name. The prompt is listed only for those who may use them all. */
  actions: readonly Action[]
  facts: readonly FactName[]
  defaultDays: number
  /** What to do, in a sentence. */
  task(input: StepInput): string
  steps(input: StepInput): readonly string[]
}

export const BOARD: PromptArgument = {
  name: 'board',
  description: 'Key or project_id of a board',
  required: true,
}
export const DAYS: PromptArgument = { name: 'days', description: 'Days of history, 1 to 30' }

export const LEASE_ACTIONS: readonly Action[] = [
  'svc_tasks.claim',
  'svc_tasks.heartbeat',
  'svc_tasks.release',
  'svc_tasks.hand_over',
]

/** How to change existing tasks: agents need a lease of each. */
export const leaseStep = ({ isAgent }: StepInput): readonly string[] =>
  isAgent
    ? [
        'Claim a task before you change it: svc_tasks claim {"ticket_number":"…"}. svc_tasks heartbeat keeps it during long work; at the end svc_tasks release, or svc_tasks hand_over to the person or agent who continues. Leave a task alone that somebody else holds: comment on it.',
      ]
    : []
