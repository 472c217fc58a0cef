import { type RefObject, useRef, useState } from 'react'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { hintOf } from '../frame/keys.ts'
import { complain } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import type { Session } from './run.tsx'
import StartRun from './start-run.tsx'
import { IN_RUN } from './table.ts'
import type { Entry } from './transcript-store.ts'
import { isOpen } from './words.ts'

/** What the agent is told more: shown at once, and given back where it was refused. */
export function usePrompts({ run_id }: Session, count: number, shown: () => void) {
  const { data: me } = useAsk('user_context.get', {})
  const draft = useDraft(`run:${run_id}`)
  const [text, setText] = useState(draft.found?.text ?? '')
  const typed = useRef(text)
  const [sending, setSending] = useState<readonly Entry[]>([])
  const leave = (words: string) =>
    setSending((some) => {
      const at = some.findIndex((one) => one.text === words)
      return some.filter((_, index) => index !== at)
    })
  const type = (words: string) => {
    typed.current = words
    setText(words)
    draft.keep(words)
  }
  const { act } = useAct('runs.prompt', {
    line: `run ${run_id}`,
    draft: draft.name,
    async done(_, { text: words }) {
      await cache.invalidateQueries({ queryKey: keyOf('runs.get', { run_id }) })
      leave(words)
    },
    failed(error, { text: words }) {
      leave(words)
      // Whatever was begun meanwhile stays behind it.
      type([words, typed.current].filter(Boolean).join('\n'))
      complain(wordsOf(error))
    },
  })
  const send = () => {
    const words = text.trim()
    if (!words || !me) return
    const { user_id = 0, display_name: name } = me.profile
    const author = { kind: 'person' as const, user_id, name }
    const at = new Date().toISOString()
    const number = count + sending.length + 1
    setSending([...sending, { kind: 'prompt', text: words, author, at, number }])
    typed.current = ''
    setText('')
    draft.drop()
    shown()
    act({ run_id, text: words })
  }
  return { text, type, sending, send }
}

interface Props {
  run: Session
  prompts: ReturnType<typeof usePrompts>
  field: RefObject<HTMLTextAreaElement | null>
}

/** Where the agent is told something; once the run is over, the way to another one. */
export function Prompt({ run, prompts, field }: Props) {
  const { text, type, send } = prompts
  const [isStarting, setStarting] = useState(false)
  const { agent, task } = run
  if (!isOpen(run))
    return (
      <div className="over">
        <span className="soft">This run is over.</span>
        <button type="button" className="button plain" onClick={() => setStarting(true)}>
          Start another…
        </button>
        {isStarting && (
          <StartRun
            task={task}
            agent_id={agent.agent_id}
            draft={text}
            onClose={() => setStarting(false)}
          />
        )}
      </div>
    )
  return (
    <form
      className="tell"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className="field"
        dir="auto"
        rows={2}
        aria-label={`Tell ${agent.name} something`}
        placeholder={`Tell ${agent.name} something (${hintOf(IN_RUN.prompt)})`}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Escape') field.current?.blur()
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      />
      <button type="submit" className="button main" disabled={!text.trim()}>
        Send <kbd>{hintOf(IN_RUN.send)}</kbd>
      </button>
    </form>
  )
}
