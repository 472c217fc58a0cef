import type { BrowserClient } from './browser-client.ts'
import type { World } from './world.ts'

export type Fields = Record<string, unknown>
export type Input = (w: World) => Fields | Promise<Fields>

/** Every kind of caller that the access suite tries. */
export const CALLER_KINDS = [
  'nobody',
  'revoked',
  'expired',
  'outsider',
  'guest',
  'invited',
  'member',
  'admin',
  'owner',
  'agent',
  'other agent',
  'blind agent',
  'narrow key',
  'reading key',
] as const
/**
 * `nobody` sends no credential, the outsider owns another team, an invited guest is a member of the
 * board. The agent belongs to the member; the other agent belongs to another team and the blind
 * agent has no scopes. The keys are the owner's: one has no scopes, the other all read scopes.
 */
export type CallerKind = (typeof CALLER_KINDS)[number]

/** People and agents on the board. */
export const BOARD = ['invited', 'member', 'admin', 'owner', 'agent'] as const
/** People in the team. */
export const TEAM = ['guest', 'invited', 'member', 'admin', 'owner'] as const
/** People in any team. */
export const PEOPLE = ['outsider', ...TEAM] as const
/** People and agents in any team. */
export const EVERYONE = [...PEOPLE, 'agent', 'other agent'] as const

type UnsetReason =
  | 'needs more than 10,000 rows, or more than one page'
  | 'needs a second request that follows the first'
  | 'needs time to pass'
  | 'needs a service outside, or an address'
  | 'is only there when it is named in fields, or when a text is truncated'
  | 'is a file over REST, so that there is no record to check'
  | 'is set by another credential or another order of requests than the samples use'

/** What the suites over the whole catalog need to know of an operation. */
export interface OperationSample {
  /** A valid input, in a world with a board. */
  input: Input
  /**
   * The kinds of callers whose call with that input succeeds. Written by hand and never derived
   * from the declaration of the operation, because it is what the declaration is checked against.
   */
  allowed: readonly CallerKind[]
  /** Who may make the call, where it is not the owner: the member's agent, or a browser session. */
  caller?: 'agent' | 'browser'
  /** Further valid inputs, whose responses on a full board have fields that the first lacks. */
  furtherInputs?: Input[]
  /** Prepares a browser that has signed in for the call, and returns what to add to the input. */
  prepareInBrowser?(browser: BrowserClient, w: World): Promise<Fields>
  /** The response to an agent has fields that the response to a person lacks. */
  alsoAsAgent?: true
  /** Fields without a value in the responses to all of these inputs, by the reason. */
  unset?: Partial<Record<UnsetReason, string[]>>
  /** Further changes of the input that make a reference to a record count, by its path. */
  referenceNeeds?: Record<string, Fields>
  /** Fields that look like references to records but are not, with the reason. */
  noReferences?: Record<string, string>
  /** Changes of `input` that make its text the whole text of a record. */
  textInput?: Input
  /** Fields for long strings that are no texts of people or agents, with the reason. */
  noTexts?: Record<string, string>
  /** For writes: whether a chat asks for approval before each call, never, or for some inputs. */
  approval?: 'always' | 'never' | { asksFor: Fields; notFor: Fields }
  /** For writes that change existing tasks: an agent needs a lease, or the reason why not. */
  lease?: 'required' | { none: string }
  /** An input that changes a task, where `input` changes none. */
  inputChangingTask?: Input
  /** The same for the member's agent, where the record of `input` belongs to somebody else. */
  inputAsAgent?: Input
  /** For operations that only a chat has: an input, and the request over REST that does the same. */
  equivalent?: (w: World) => [chat: Fields, operation: string, rest: Fields]
  /** Why there is a route but no command. */
  noCommand?: string
  /** Why there is an MCP action but no tool of a chat. */
  notInChat?: string
  /** The test of its audit entries, where nobody can make the call with `input`. */
  auditTestedIn?: string
  /** Why it writes no audit entry although its scope allows to change access. */
  notAudited?: string
}

/** An entry for every operation of a noun, and for nothing else. */
export type SamplesOf<Operations extends readonly { name: string }[]> = Record<
  Operations[number]['name'],
  OperationSample
>

export const boardId = ({ board }: World) => ({ project_id: board.project_id })
export const logoId = ({ tasks }: World) => ({ task_id: tasks.logo.task_id })
export const logoTicket = ({ tasks }: World) => ({ ticket_number: tasks.logo.ticket_number })
