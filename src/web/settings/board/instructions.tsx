import { lazy, Suspense, useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import { ask } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { LoadError } from '../../parts/load-error.tsx'
import { Preview } from '../../task/preview.tsx'
import { useTyped } from '../../task/typed.ts'
import { type PartProps, refused, showAhead, turn } from './data.ts'
import { FOR_MEMBERS, Part, Reason } from './parts.tsx'
import { Versions } from './versions.tsx'
import { Words } from './words.tsx'

const Conflict = lazy(() => import('../../task/conflict.tsx'))

const ABOUT =
  'What this board asks of AI in its own words. Agents and the AI chat read it with the board and ' +
  'with each task.'

export default function Instructions({ board, may }: PartProps) {
  const { project_id } = board
  const found = useAsk('projects.get_instructions', { project_id })
  const { data } = found
  if (!data) return <LoadError of={found} what="the instructions" />
  const now = data.custom_instruction ?? ''
  return (
    <Part title="Instructions for AI" about={ABOUT}>
      {may.write ? (
        <Writing {...{ project_id, now }} />
      ) : (
        <>
          <Reason>{FOR_MEMBERS}</Reason>
          {now ? <Preview text={now} /> : <p className="none">It has no instructions.</p>}
        </>
      )}
      <Versions {...{ project_id, kind: 'instructions' }} may={may.write} />
    </Part>
  )
}

function Writing({ project_id, now }: { project_id: number; now: string }) {
  const { base, text, edition, busy, clash, isChanged, ...does } = useInstructions(project_id, now)
  if (clash !== undefined)
    return (
      <Suspense>
        <Conflict
          mine={text}
          theirs={clash}
          onMine={() => does.save(clash)}
          onTheirs={() => does.take(clash, clash)}
          onMerge={(words) => does.take(words, clash)}
        />
      </Suspense>
    )
  const isBehind = isChanged && now !== base
  return (
    <form
      className="playbook"
      onSubmit={(event) => {
        event.preventDefault()
        does.save(base)
      }}
    >
      <Words
        label="Instructions for AI"
        hint="What to do, what never to do, how to write. Markdown."
        {...{ text, edition }}
        onChange={does.type}
        onSend={() => does.save(base)}
      />
      <footer className="save">
        <span role="status">
          {isBehind
            ? 'Somebody changed them meanwhile: saving shows you both texts'
            : isChanged && 'Not saved yet; what you typed is kept in this browser'}
        </span>
        {isChanged ? (
          <button type="button" className="button quiet" onClick={() => does.take(now, now)}>
            Throw it away
          </button>
        ) : (
          now && (
            <button type="button" className="button quiet" onClick={does.reset}>
              Reset
            </button>
          )
        )}
        <button type="submit" className="button main" disabled={busy || !isChanged}>
          Save the instructions
        </button>
      </footer>
    </form>
  )
}

const UNKNOWN = '\0'

/** By this a draft knows again the text that it was begun over. */
const markOf = (text: string) =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, 7)

/** They have no versions, so what stands there is looked at before it is written over. */
function useInstructions(project_id: number, now: string) {
  const typed = useTyped(`board ${project_id}:instructions`, now)
  const { text, edition, draft } = typed
  // A draft that was begun over another text is shown beside what stands there before it is saved.
  const isOld = draft.found !== undefined && draft.found.base !== markOf(now)
  const [base, setBase] = useState(isOld ? UNKNOWN : now)
  const [clash, setClash] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isChanged = text.trim() !== base.trim()
  // Nobody writes here, so they are shown as they are by now.
  if (!isChanged && now !== base) {
    setBase(now)
    typed.put(now)
  }
  const take = (words: string, from: string) => {
    setClash(undefined)
    setBase(from)
    typed.put(words)
    if (words === from) draft.drop()
    else draft.keep(words, markOf(from))
  }
  const put = async (from: string) => {
    const there = (await ask('projects.get_instructions', { project_id })).custom_instruction ?? ''
    if (there !== from && there !== text.trim()) return setClash(there)
    const next = text.trim()
    if (await write(project_id, next, there, 'Saved the instructions')) take(next, next)
  }
  const save = (from: string) => {
    setBusy(true)
    setClash(undefined)
    put(from)
      .catch(refused)
      .finally(() => setBusy(false))
  }
  const reset = () => {
    void write(project_id, '', now, 'Reset the instructions')
  }
  const type = (words: string) => typed.type(words, markOf(base))
  return { base, text, edition, busy, clash, isChanged, type, take, save, reset }
}

function write(project_id: number, text: string, before: string, words?: string): Promise<boolean> {
  const custom_instruction = text || null
  return turn({
    made: send('projects.set_instructions', { project_id, custom_instruction }),
    back: showAhead('projects.get_instructions', { project_id }, (own) => ({
      ...own,
      custom_instruction,
    })),
    words,
    undo: () => write(project_id, before, text),
  })
}
