import { useState } from 'react'
import { useOperation, useOperationMutation } from '../../../data/cache.ts'
import { useForm } from '../../../data/form.ts'
import { TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { RestoredNote } from '../../../kit/restored-note.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { MarkdownField } from '../board/markdown-field.tsx'
import { reloadSkills, type Skill, type SkillOwner } from './data.ts'

interface Props {
  owner: SkillOwner
  /** The skill to edit; undefined for a new one. */
  skill: Skill | undefined
  onDone(): void
}

const EMPTY = { name: '', slug: '', description: '', argument_hint: '', body: '' }
type Fields = typeof EMPTY

/** Creates or edits a skill. */
export function SkillEditor({ owner, skill, onDone }: Props) {
  const name = `skill:new ${owner.scope === 'project' ? owner.project_id : ''}`
  if (!skill) return <SkillForm {...{ owner, skill, onDone, name }} before={EMPTY} />
  return <ExistingSkill {...{ owner, skill, onDone }} />
}

function ExistingSkill({ owner, skill, onDone }: Props & { skill: Skill }) {
  const skillQuery = useOperation('skills.get', { skill_id: skill.skill_id })
  const { data } = skillQuery
  if (!data) return <LoadError of={skillQuery} what={t('settings.the_skill')} />
  const { name, slug, description, argument_hint, body, updated_at } = data
  const before = { name, slug, description, argument_hint: argument_hint ?? '', body }
  const version = Date.parse(updated_at)
  const draft = `skill:${skill.skill_id}`
  return <SkillForm {...{ owner, skill, onDone, before, version }} name={draft} />
}

function useSave({ owner, skill, onDone }: Props) {
  const creation = useOperationMutation('skills.create')
  const update = useOperationMutation('skills.update')
  return async ({ slug, argument_hint, ...fields }: Fields) => {
    const hint = argument_hint.trim() || null
    const values = { ...fields, ...(slug.trim() && { slug: slug.trim() }), argument_hint: hint }
    const saved = await (skill
      ? update.mutateAsync({ skill_id: skill.skill_id, ...values })
      : creation.mutateAsync({ ...values, ...owner }))
    reloadSkills()
    showToast(
      skill
        ? t('settings.saved_the_skill_slug', { slug: saved.slug })
        : t('settings.created_the_skill_slug', { slug: saved.slug }),
    )
    onDone()
  }
}

interface FormProps extends Props {
  /** The name of the draft. */
  name: string
  before: Fields
  version?: number
}

function SkillForm({ name, before, version, ...props }: FormProps) {
  const { skill } = props
  const { fields, update, discard, ...draft } = useForm(name, before, version)
  // Increments when the instructions were set from outside rather than typed.
  const [resetKey, setResetKey] = useState(0)
  const onDone = () => {
    discard()
    props.onDone()
  }
  const save = useSave({ ...props, onDone })
  const type = (name: keyof Fields) => (text: string) => update({ [name]: text })
  const reset = () => {
    draft.reset()
    setResetKey(resetKey + 1)
  }
  const text = (name: keyof Fields, maxLength: number) => ({
    ...{ name, maxLength, dir: 'auto', value: fields[name], onChange: type(name) },
  })
  return (
    <Form
      className="form skill-form"
      label={skill ? t('settings.the_skill_slug', { slug: skill.slug }) : t('settings.new_skill')}
      onSubmit={() => save(fields)}
    >
      <p className="note" role="status">
        <RestoredNote {...draft} reset={reset} />
      </p>
      <TextField label={t('common.name')} required {...text('name', 100)} />
      <TextField
        label={t('settings.slug')}
        hint={t('settings.what_you_type_after_the_slash_if')}
        {...text('slug', 64)}
      />
      <TextField
        label={t('common.description')}
        hint={t('settings.tells_an_assistant_when_to_use_the')}
        {...text('description', 1024)}
      />
      <TextField
        label={t('settings.arguments_optional')}
        hint={t('settings.what_may_follow_the_slug_such_as')}
        {...text('argument_hint', 200)}
      />
      <h2>{t('settings.instructions')}</h2>
      <MarkdownField
        label={t('settings.instructions')}
        hint={t('settings.what_to_do_when_somebody_calls_it')}
        text={fields.body}
        resetKey={resetKey}
        onChange={type('body')}
      />
      <FormFooter onCancel={onDone}>{t('settings.save_skill')}</FormFooter>
    </Form>
  )
}
