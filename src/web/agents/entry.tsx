import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords, clock } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import './entry.css'
import type { Entry } from './transcript-store.ts'

const KINDS: Record<Entry['kind'], [IconName, string]> = {
  message: ['comment', 'Message'],
  thought: ['moon', 'Thought'],
  action: ['arrow', 'Action'],
  result: ['under', 'Result'],
  error: ['blocked', 'Error'],
  prompt: ['mine', 'Prompt'],
}

/** Longer texts are folded. */
export const MOST_LINES = 12
const MOST_LETTERS = 1200

interface Props {
  entry: Entry
  /** Its whole text is shown, however long. */
  isOpen: boolean
  onOpen(number: number): void
  /** Words that somebody looks for. */
  sought: string
  /** Letters that keys of tasks begin with. */
  keys: ReadonlySet<string>
}

/** A line of the story of a run, or many. */
export const EntryView = memo(function EntryView({ entry, isOpen, onOpen, sought, keys }: Props) {
  const { kind, text, author, at, number } = entry
  const [icon, name] = KINDS[kind]
  const short = isOpen ? text : folded(text)
  const date = new Date(at)
  return (
    <div className={`entry ${kind}`}>
      <span className="mark">
        {kind === 'prompt' ? <Avatar actor={author} /> : <Icon name={icon} label={name} />}
      </span>
      <div className="said">
        {kind === 'prompt' && <b className="by">{author.name}</b>}
        <div className="text" dir="auto">
          <Marked text={short} sought={sought} keys={keys} />
        </div>
        {short !== text && (
          <button type="button" className="button quiet" onClick={() => onOpen(number)}>
            Show all {linesIn(text)} lines
            <span className="unseen"> of entry {number}</span>
          </button>
        )}
      </div>
      <time dateTime={at} title={agoWords(at).full}>
        {clock(date)}
      </time>
    </div>
  )
})

const linesIn = (text: string) => text.split('\n').length

function folded(text: string): string {
  const lines = text.split('\n')
  const few = lines.length > MOST_LINES + 2 ? lines.slice(0, MOST_LINES).join('\n') : text
  return few.length > MOST_LETTERS ? `${few.slice(0, MOST_LETTERS).toWellFormed()}…` : few
}

const LINE = 20
const LETTERS_IN_LINE = 90

/** Of one that is not there yet. */
export const USUAL_HEIGHT = 36

/** About how high it will be, before it is drawn. */
export function heightOf({ text, kind }: Entry): number {
  const lines = folded(text)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS_IN_LINE)), 0)
  return 16 + lines * LINE + (kind === 'prompt' ? LINE : 0)
}

const WORDS = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])|\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g

interface MarkedProps {
  text: string
  sought: string
  keys: ReadonlySet<string>
}

/** A text with its addresses and tasks as links, and what is looked for marked. */
function Marked({ text, sought, keys }: MarkedProps) {
  const parts: ReactNode[] = []
  let from = 0
  const upTo = (to: number) => parts.push(...found(text.slice(from, to), sought, from))
  for (const match of text.matchAll(WORDS)) {
    const [word, address, key] = match
    if (!address && !keys.has(key!)) continue
    upTo(match.index)
    const inside = found(word, sought, match.index)
    parts.push(
      address ? (
        <a key={`at ${match.index}`} href={address} target="_blank" rel="noopener noreferrer">
          {inside}
        </a>
      ) : (
        <Link key={`at ${match.index}`} href={`/t/${word}`}>
          {inside}
        </Link>
      ),
    )
    from = match.index + word.length
  }
  upTo(text.length)
  return parts
}

function found(text: string, sought: string, at: number): ReactNode[] {
  const words = sought.trim().split(/\s+/).filter(Boolean)
  if (!words.length || !text) return [text]
  const pattern = new RegExp(`(${words.map((one) => RegExp.escape(one)).join('|')})`, 'gi')
  const parts: ReactNode[] = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index), <mark key={`${at} ${index}`}>{word}</mark>)
    from = index + word.length
  }
  return [...parts, text.slice(from)]
}
