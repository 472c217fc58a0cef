import { useState } from 'react'
import { cache, useOperationMutation } from '../../../data/cache.ts'
import { errorText } from '../../../kit/errors.ts'
import { showErrorToast, showToast } from '../../../kit/toasts.tsx'
import type { Team } from './permissions.ts'

const reloadContext = () => cache.invalidateQueries({ queryKey: ['user_context.get'] })
const failed = (error: Error) => showErrorToast(errorText(error))

/** Renames the team. */
export function RenameTeam({ team: { team_id, name } }: { team: Team }) {
  const [text, setText] = useState(name)
  const { act, busy } = useOperationMutation('teams.rename', {
    onDone: () => void reloadContext(),
    onFailed(error) {
      setText(name)
      failed(error)
    },
  })
  const next = text.trim()
  const save = () =>
    act(
      { team_id, name: next },
      {
        onSuccess: () =>
          showToast(`Renamed the team to ${next}`, () => {
            setText(name)
            act({ team_id, name })
          }),
      },
    )
  return (
    <form
      className="naming"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label>
        <span>Name</span>
        <input
          className="field"
          dir="auto"
          maxLength={200}
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <button type="submit" className="button plain" disabled={busy || !next || next === name}>
        Rename
      </button>
    </form>
  )
}

/** Creates another team. */
export function CreateTeam({ onCreate }: { onCreate(team_id: number): void }) {
  const [text, setText] = useState('')
  const { act, busy } = useOperationMutation('teams.create', {
    async onDone({ team_id, name }) {
      await reloadContext()
      setText('')
      showToast(`Created the team ${name}`)
      onCreate(team_id)
    },
    onFailed: failed,
  })
  const name = text.trim()
  return (
    <form
      className="naming"
      onSubmit={(event) => {
        event.preventDefault()
        if (name) act({ name })
      }}
    >
      <label>
        <span>Name of the new team</span>
        <input
          className="field"
          dir="auto"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <button type="submit" className="button plain" disabled={busy || !name}>
        Create team
      </button>
    </form>
  )
}
