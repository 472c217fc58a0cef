import { type ReactNode, useId, useState } from 'react'
import { useAct, useAsk } from '../../data/cache.ts'
import { wordsOf } from '../../data/client.ts'
import { useForm } from '../../data/form.ts'
import { say } from '../../frame/toasts.tsx'
import { Kept } from '../../parts/kept.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { Words } from '../board/words.tsx'
import { readAgain, type Skill, type Whose } from './data.ts'

interface Props {
  whose: Whose
  /** The one that is changed; none: a new one. */
  skill: Skill | undefined
  onDone(): void
}

const EMPTY = { name: '', slug: '', description: '', argument_hint: '', body: '' }
type Fields = typeof EMPTY

/** A new skill, or another wording of one. */
export function Edit({ whose, skill, onDone }: Props) {
  const name = `skill:new ${whose.scope === 'project' ? whose.project_id : ''}`
  if (!skill) return <Form {...{ whose, skill, onDone, name }} before={EMPTY} />
  return <Known {...{ whose, skill, onDone }} />
}

function Known({ whose, skill, onDone }: Props & { skill: Skill }) {
  const found = useAsk('skills.get', { skill_id: skill.skill_id })
  const { data } = found
  if (!data) return <LoadError of={found} what="the skill" />
  const { name, slug, description, argument_hint, body, updated_at } = data
  const before = { name, slug, description, argument_hint: argument_hint ?? '', body }
  const version = Date.parse(updated_at)
  return <Form {...{ whose, skill, onDone, before, version }} name={`skill:${skill.skill_id}`} />
}

function useSave({ whose, skill, onDone }: Props) {
  const [words, setWords] = useState('')
  const made = useAct('skills.create')
  const changed = useAct('skills.update')
  const put = async ({ slug, argument_hint, ...fields }: Fields) => {
    setWords('')
    const hint = argument_hint.trim() || null
    const own = { ...fields, ...(slug.trim() && { slug: slug.trim() }), argument_hint: hint }
    const done = await (skill
      ? changed.finish({ skill_id: skill.skill_id, ...own })
      : made.finish({ ...own, ...whose }))
    readAgain()
    say(`${skill ? 'Changed' : 'Made'} the skill /${done.slug}`)
    onDone()
  }
  const save = (fields: Fields) => void put(fields).catch((error) => setWords(wordsOf(error)))
  return { save, words, busy: made.busy || changed.busy }
}

interface FormProps extends Props {
  /** Under it, what is typed is kept. */
  name: string
  before: Fields
  version?: number
}

function Form({ name, before, version, ...props }: FormProps) {
  const { skill } = props
  const { fields, put, drop, ...kept } = useForm(name, before, version)
  // The text of the instructions is another one where it was not typed.
  const [edition, setEdition] = useState(0)
  const onDone = () => {
    drop()
    props.onDone()
  }
  const { save, words, busy } = useSave({ ...props, onDone })
  const type = (name: keyof Fields) => (text: string) => put({ [name]: text })
  const anew = () => {
    kept.anew()
    setEdition(edition + 1)
  }
  const text = (name: keyof Fields) => ({ value: fields[name], onType: type(name) })
  return (
    <form
      className="skill-form"
      aria-label={skill ? `The skill /${skill.slug}` : 'A new skill'}
      onSubmit={(event) => {
        event.preventDefault()
        save(fields)
      }}
    >
      <p className="note" role="status">
        <Kept {...kept} anew={anew} />
      </p>
      <Line label="Name" most={100} isNeeded {...text('name')} />
      <Line label="Slug" most={64} {...text('slug')}>
        What one types behind the slash; left empty, it is made from the name.
      </Line>
      <Line label="What it is for" most={1024} {...text('description')}>
        By this an assistant knows when to use it.
      </Line>
      <Line label="What may follow the slug" most={200} {...text('argument_hint')}>
        Such as [version]; empty where nothing does.
      </Line>
      <h2>Instructions</h2>
      <Words
        label="Instructions"
        hint="What to do when somebody calls it, step by step. Markdown."
        text={fields.body}
        edition={edition}
        onChange={type('body')}
        onSend={() => save(fields)}
      />
      <p className="wrong" role="alert">
        {words}
      </p>
      <footer className="deeds">
        <button type="submit" className="button main" disabled={busy}>
          Save the skill
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
