import { useState } from 'react'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import { TextField } from '../../../kit/field.tsx'
import { Form, FormFooter } from '../../../kit/form.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import type { Team } from './permissions.ts'

const FIELD = { name: 'name', dir: 'auto', maxLength: 200 }

const reloadContext = () => cache.invalidateQueries({ queryKey: ['user_context.get'] })

/** Renames the team. */
export function RenameTeam({ team: { team_id, name } }: { team: Team }) {
  const [text, setText] = useState(name)
  const { mutateAsync } = useOperationMutation('teams.rename', {
    onDone: () => void reloadContext(),
  })
  const next = text.trim()
  const rename = async () => {
    await mutateAsync({ team_id, name: next })
    showToast(t('settings.renamed_the_team_to_next', { next }), () => {
      setText(name)
      void mutateAsync({ team_id, name }).catch(showError)
    })
  }
  return (
    <Form onSubmit={rename}>
      <TextField label={t('common.name')} {...FIELD} required value={text} onChange={setText} />
      <FormFooter variant="plain" disabled={!next || next === name}>
        {t('common.rename')}
      </FormFooter>
    </Form>
  )
}

/** Creates another team. */
export function CreateTeam({ onCreate }: { onCreate(team_id: number): void }) {
  const [text, setText] = useState('')
  const { mutateAsync } = useOperationMutation('teams.create')
  const create = async () => {
    const { team_id, name } = await mutateAsync({ name: text.trim() })
    await reloadContext()
    setText('')
    showToast(t('settings.created_the_team_name', { name }))
    onCreate(team_id)
  }
  return (
    <Form onSubmit={create}>
      <TextField
        label={t('settings.name_of_the_new_team')}
        {...FIELD}
        value={text}
        onChange={setText}
      />
      <FormFooter variant="plain" disabled={!text.trim()}>
        {t('settings.create_team')}
      </FormFooter>
    </Form>
  )
}
