import { type RefObject, useRef, useState } from 'react'
import { cache, queryKeyOf, useOperation, useOperationMutation } from '../../data/cache.ts'
import { useDraft } from '../../data/drafts.ts'
import { isOpen } from '../../entities/agent/descriptions.ts'
import StartRun from '../../entities/agent/start-run.tsx'
import { isComposing } from '../../kit/composing.ts'
import { noteOrigin, returnToOrigin } from '../../kit/field-origin.ts'
import { Form, SubmitButton } from '../../kit/form.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { showError } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { IN_RUN } from './shortcuts.ts'
import type { Entry } from './transcript-store.ts'
import type { FullRun } from './types.ts'

/**
 * Sends prompts to a run. They are shown at once, and returned to the field if the server refuses
 * them.
 */
export function usePrompts({ run_id }: FullRun, count: number, onSend: () => void) {
  const { data: me } = useOperation('user_context.get', {})
  const draft = useDraft(`run:${run_id}`)
  const [text, setText] = useState(draft.stored?.text ?? '')
  const latestText = useRef(text)
  const [sending, setSending] = useState<readonly Entry[]>([])
  const removeSending = (prompt: string) =>
    setSending((entries) => {
      const position = entries.findIndex((one) => one.text === prompt)
      return entries.filter((_, index) => index !== position)
    })
  const type = (value: string) => {
    latestText.current = value
    setText(value)
    draft.save(value)
  }
  const { mutate } = useOperationMutation('runs.prompt', {
    line: `run ${run_id}`,
    draft: draft.name,
    async onDone(_, { text: prompt }) {
      await cache.invalidateQueries({ queryKey: queryKeyOf('runs.get', { run_id }) })
      removeSending(prompt)
    },
    onFailed(error, { text: prompt }) {
      removeSending(prompt)
      // Text typed in the meantime stays after the returned prompt.
      type([prompt, latestText.current].filter(Boolean).join('\n'))
      showError(error)
    },
  })
  const send = () => {
    const prompt = text.trim()
    if (!prompt || !me) return
    const { user_id = 0, display_name: name } = me.profile
    const author = { kind: 'person' as const, user_id, name }
    const at = new Date().toISOString()
    const number = count + sending.length + 1
    setSending([...sending, { kind: 'prompt', text: prompt, author, at, number }])
    latestText.current = ''
    setText('')
    draft.discard()
    onSend()
    mutate({ run_id, text: prompt })
  }
  return { text, type, sending, send }
}

interface Props {
  run: FullRun
  prompts: ReturnType<typeof usePrompts>
  field: RefObject<HTMLTextAreaElement | null>
}

/** The prompt field of a run; after the run has ended, a button that starts another one. */
export function Prompt({ run, prompts, field }: Props) {
  const { text, type, send } = prompts
  const [isStarting, setStarting] = useState(false)
  const { agent, task } = run
  if (!isOpen(run))
    return (
      <div className="over">
        <span className="soft">{t('agents.this_run_has_ended')}</span>
        <button type="button" className="button plain" onClick={() => setStarting(true)}>
          {t('agents.start_another_run')}
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
    <Form className="prompt-form" onSubmit={send}>
      <textarea
        ref={field}
        className="field"
        dir="auto"
        rows={2}
        aria-label={t('agents.prompt_name', { name: agent.name })}
        placeholder={t('agents.prompt_name_hint', {
          name: agent.name,
          hint: hintOf(IN_RUN.prompt),
        })}
        maxLength={10_000}
        value={text}
        onFocus={noteOrigin}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) =>
          event.key === 'Escape' && !isComposing(event) && returnToOrigin(field.current)
        }
      />
      <SubmitButton disabled={!text.trim()}>
        {rich('agents.send_hint', { hint: <kbd>{hintOf(IN_RUN.send)}</kbd> })}
      </SubmitButton>
    </Form>
  )
}
