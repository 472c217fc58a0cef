import type { Said, SaidPart } from '../ai/types.ts'
import { type Brief, isCall, type Kept, type Row } from '../features/chat/index.ts'
import { costOf } from '../kernel/bounds.ts'
import { asData } from './tools/data.ts'
import { within } from './words.ts'

/** Tokens of a conversation that a model is told again. */
const MOST = 12_000
/** What is left of the answer of a tool where there is no room for all of it. */
const SHORT = 60
/** Of the last turn, so many answers of tools stay whole in any case. */
const LAST = 3

/**
 * What was said before, as much of it as there is room for: the oldest turns are left out whole, and of
 * the others what tools answered long ago is shortened, where it must be. Of an answer that goes on, its parts are last.
 */
export function saidBefore({ messages, writers }: Brief, number: number): Said[] {
  const before = messages.filter((row) => row.number <= number)
  const turns: Said[][] = []
  for (const row of before) {
    const said = saidIn(row, writers)
    if (!said) continue
    if (said.role === 'user' || !turns.length) turns.push([said])
    else turns.at(-1)!.push(said)
  }
  return fitted(turns).flat()
}

/** Those that there is room for once they are shortened. Counting is slow, so it ends with them. */
function recent(turns: Said[][]): Said[][] {
  const last = turns.length - 1
  let room = MOST
  const out = turns.findLastIndex((turn, index) => {
    room -= costIn(index === last ? turn : turn.map((said) => shortened(said)))
    return room < 0
  })
  return turns.slice(Math.min(out + 1, last))
}

function fitted(all: Said[][]): Said[][] {
  const turns = recent(all)
  const last = turns.length - 1
  let over = turns.reduce((sum, turn) => sum + costIn(turn), 0) - MOST
  const shorter = turns.map((turn, index) => {
    if (over <= 0 || index === last) return turn
    const short = turn.map((said) => shortened(said))
    over -= costIn(turn) - costIn(short)
    return short
  })
  if (over > 0) shorter.push(shorter.pop()!.map((said) => shortened(said, LAST)))
  return shorter
}

const costIn = (turn: readonly Said[]) =>
  turn.reduce((sum, said) => sum + costOf(textOf(said)) + 8, 0)

const textOf = (said: Said): string =>
  said.role === 'user'
    ? said.text
    : said.parts
        .map((part) => ('text' in part ? part.text : `${JSON.stringify(part.input)}${part.answer}`))
        .join('\n')

/** With its answers of tools shortened, but for so many of the last ones. */
function shortened(said: Said, last = 0): Said {
  if (said.role === 'user') return said
  const keep = said.parts.filter((part) => 'answer' in part).slice(last ? -last : said.parts.length)
  const parts = said.parts.map((part) =>
    'text' in part || keep.includes(part) || costOf(part.answer) <= SHORT * 2
      ? part
      : { ...part, answer: asData('shortened', within(bare(part.answer), SHORT)) },
  )
  return { ...said, parts }
}

/** Without its fence, which would be cut in two. */
const bare = (answer: string) => answer.replace(/<\/?data\b[^>]*>\n?/g, '')

function saidIn(row: Row, writers: Brief['writers']): Said | undefined {
  if (row.role === 'assistant') {
    const parts = row.parts.flatMap(partOf)
    return parts.length ? { role: 'assistant', parts } : undefined
  }
  const text = row.parts.map((part) => (isCall(part) ? '' : (part.read ?? part.text))).join('\n')
  if (row.role === 'person') return { role: 'user', text }
  const name = writers.get(row.actor_id ?? 0)?.name ?? 'An agent'
  return { role: 'user', text: `An agent answered here:\n${asData(name, text)}` }
}

const UNANSWERED = 'Nothing came of this call.'
const TAKEN_BACK = ' (Taken back by the person since.)'

function partOf(part: Kept): SaidPart[] {
  if (!isCall(part)) return part.text ? [{ text: part.text }] : []
  const { call_id, tool, input, answer = UNANSWERED, state } = part
  return [{ call_id, tool, input, answer: state === 'undone' ? answer + TAKEN_BACK : answer }]
}
