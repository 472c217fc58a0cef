import { type ReactNode, useId, useState } from 'react'
import { useOperation, useOperationMutation } from '../../../data/cache.ts'
import { useForm } from '../../../data/form.ts'
import { errorText } from '../../../kit/errors.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { RestoredNote } from '../../../kit/restored-note.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { MarkdownField } from '../board/markdown-field.tsx'
import { reloadSkills, type Skill, type SkillOwner } from './data.ts'

interface Props {
  whose: SkillOwner
  /** The skill to edit; undefined for a new one. */
  skill: Skill | undefined
  onDone(): void
}

const EMPTY = { name: '', slug: '', description: '', argument_hint: '', body: '' }
type Fields = typeof EMPTY

/** Creates or edits a skill. */
export function SkillEditor({ whose, skill, onDone }: Props) {
  const name = `skill:new ${whose.scope === 'project' ? whose.project_id : ''}`
  if (!skill) return <Form {...{ whose, skill, onDone, name }} before={EMPTY} />
  return <ExistingSkill {...{ whose, skill, onDone }} />
}

function ExistingSkill({ whose, skill, onDone }: Props & { skill: Skill }) {
  const skillQuery = useOperation('skills.get', { skill_id: skill.skill_id })
  const { data } = skillQuery
  if (!data) return <LoadError of={skillQuery} what="the skill" />
  const { name, slug, description, argument_hint, body, updated_at } = data
  const before = { name, slug, description, argument_hint: argument_hint ?? '', body }
  const version = Date.parse(updated_at)
  return <Form {...{ whose, skill, onDone, before, version }} name={`skill:${skill.skill_id}`} />
}

function useSave({ whose, skill, onDone }: Props) {
  const [error, setError] = useState('')
  const creation = useOperationMutation('skills.create')
  const update = useOperationMutation('skills.update')
  const put = async ({ slug, argument_hint, ...fields }: Fields) => {
    setError('')
    const hint = argument_hint.trim() || null
    const values = { ...fields, ...(slug.trim() && { slug: slug.trim() }), argument_hint: hint }
    const saved = await (skill
      ? update.finish({ skill_id: skill.skill_id, ...values })
      : creation.finish({ ...values, ...whose }))
    reloadSkills()
    showToast(`${skill ? 'Saved' : 'Created'} the skill /${saved.slug}`)
    onDone()
  }
  const save = (fields: Fields) => void put(fields).catch((failure) => setError(errorText(failure)))
  return { save, error, busy: creation.busy || update.busy }
}

interface FormProps extends Props {
  /** The name of the draft. */
  name: string
  before: Fields
  version?: number
}

function Form({ name, before, version, ...props }: FormProps) {
  const { skill } = props
  const { fields, put, discard, ...draft } = useForm(name, before, version)
  // Increments when the instructions were set from outside rather than typed.
  const [resetKey, setResetKey] = useState(0)
  const onDone = () => {
    discard()
    props.onDone()
  }
  const { save, error, busy } = useSave({ ...props, onDone })
  const type = (name: keyof Fields) => (text: string) => put({ [name]: text })
  const reset = () => {
    draft.reset()
    setResetKey(resetKey + 1)
  }
  const text = (name: keyof Fields) => ({ value: fields[name], onType: type(name) })
  return (
    <form
      className="skill-form"
      aria-label={skill ? `The skill /${skill.slug}` : 'New skill'}
      onSubmit={(event) => {
        event.preventDefault()
        save(fields)
      }}
    >
      <p className="note" role="status">
        <RestoredNote {...draft} reset={reset} />
      </p>
      <Line label="Name" most={100} isNeeded {...text('name')} />
      <Line label="Slug" most={64} {...text('slug')}>
        What you type after the slash. If empty, it is created from the name.
      </Line>
      <Line label="Description" most={1024} {...text('description')}>
        Tells an assistant when to use the skill.
      </Line>
      <Line label="Arguments (optional)" most={200} {...text('argument_hint')}>
        What may follow the slug, such as [version].
      </Line>
      <h2>Instructions</h2>
      <MarkdownField
        label="Instructions"
        hint="What to do when somebody calls it, step by step. Markdown."
        text={fields.body}
        resetKey={resetKey}
        onChange={type('body')}
        onSend={() => save(fields)}
      />
      <p className="wrong" role="alert">
        {error}
      </p>
      <footer className="deeds">
        <button type="submit" className="button main" disabled={busy}>
          Save skill
        </button>
        <button type="button" className="button plain" onClick={onDone}>
          Cancel
        </button>
      </footer>
    </form>
  )
}

interface LineProps {
  label: string
  value: string
  most: number
  isNeeded?: true
  onType(text: string): void
  children?: ReactNode
}

function Line({ label, value, most, isNeeded, onType, children }: LineProps) {
  const id = useId()
  return (
    <div className="skill-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="field"
        dir="auto"
        maxLength={most}
        required={isNeeded}
        value={value}
        aria-describedby={children ? `${id}-hint` : undefined}
        onChange={({ target }) => onType(target.value)}
      />
      {children && (
        <p className="soft" id={`${id}-hint`}>
          {children}
        </p>
      )}
    </div>
  )
}
