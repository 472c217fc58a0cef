import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../entities/user/avatar.tsx'
import { agoText, clock } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { rich, t } from '../../messages/t.ts'
import './entry.css'
import type { Entry } from './transcript-store.ts'

const KINDS: Record<Entry['kind'], [IconName, string]> = {
  message: ['comment', t('agents.message')],
  thought: ['moon', t('agents.thought')],
  action: ['arrow', t('agents.action')],
  result: ['under', t('agents.result')],
  error: ['blocked', t('agents.error')],
  prompt: ['mine', t('agents.prompt')],
}

/** Longer texts are collapsed. */
export const MAX_LINES = 12
const MAX_CHARS = 1200

interface Props {
  entry: Entry
  /** Whether the full text is shown. */
  isOpen: boolean
  onOpen(number: number): void
  /** The search text to highlight. */
  searchText: string
  /** The prefixes of task keys. */
  keys: ReadonlySet<string>
}

/** An entry of a transcript. */
export const EntryView = memo(function EntryView({
  entry,
  isOpen,
  onOpen,
  searchText,
  keys,
}: Props) {
  const { kind, text, author, at, number } = entry
  const [icon, name] = KINDS[kind]
  const short = isOpen ? text : fold(text)
  const date = new Date(at)
  return (
    <div className={`entry ${kind}`}>
      <span className="mark">
        {kind === 'prompt' ? <Avatar actor={author} /> : <Icon name={icon} label={name} />}
      </span>
      <div className="content">
        {kind === 'prompt' && <b className="by">{author.name}</b>}
        <div className="text" dir="auto">
          <LinkedText text={short} searchText={searchText} keys={keys} />
        </div>
        {short !== text && (
          <button type="button" className="button quiet" onClick={() => onOpen(number)}>
            {rich('agents.show_all_lines', {
              countLines: countLines(text),
              of_entry: <span className="unseen">{t('agents.of_entry_number', { number })}</span>,
            })}
          </button>
        )}
      </div>
      <time dateTime={at} title={agoText(at).full}>
        {clock(date)}
      </time>
    </div>
  )
})

const countLines = (text: string) => text.split('\n').length

function fold(text: string): string {
  const lines = text.split('\n')
  const head = lines.length > MAX_LINES + 2 ? lines.slice(0, MAX_LINES).join('\n') : text
  return head.length > MAX_CHARS ? `${head.slice(0, MAX_CHARS).toWellFormed()}…` : head
}

const LINE_HEIGHT = 20
const CHARS_PER_LINE = 90

/** The height of an entry that has not loaded. */
export const DEFAULT_HEIGHT = 36

/** Estimates the height of an entry before it is rendered. */
export function estimateHeight({ text, kind }: Entry): number {
  const lines = fold(text)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARS_PER_LINE)), 0)
  return 16 + lines * LINE_HEIGHT + (kind === 'prompt' ? LINE_HEIGHT : 0)
}

const LINK_PATTERN = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])|\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g

interface LinkedTextProps {
  text: string
  searchText: string
  keys: ReadonlySet<string>
}

/** A text with URLs and task keys as links and search matches highlighted. */
function LinkedText({ text, searchText, keys }: LinkedTextProps) {
  const parts: ReactNode[] = []
  let from = 0
  const pushUpTo = (to: number) => parts.push(...highlight(text.slice(from, to), searchText, from))
  for (const match of text.matchAll(LINK_PATTERN)) {
    const [word, address, key] = match
    if (!address && !keys.has(key!)) continue
    pushUpTo(match.index)
    const inside = highlight(word, searchText, match.index)
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
  pushUpTo(text.length)
  return parts
}

function highlight(text: string, searchText: string, offset: number): ReactNode[] {
  const words = searchText.trim().split(/\s+/).filter(Boolean)
  if (!words.length || !text) return [text]
  const pattern = new RegExp(`(${words.map((one) => RegExp.escape(one)).join('|')})`, 'gi')
  const parts: ReactNode[] = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index), <mark key={`${offset} ${index}`}>{word}</mark>)
    from = index + word.length
  }
  return [...parts, text.slice(from)]
}
