import { useState } from 'react'
import { cache, useAct } from '../../data/cache.ts'
import { wordsOf } from '../../data/client.ts'
import { complain, say } from '../../frame/toasts.tsx'
import type { Team } from './may.ts'

const readMe = () => cache.invalidateQueries({ queryKey: ['user_context.get'] })
const failed = (error: Error) => complain(wordsOf(error))

/** Another name for the team. */
export function Rename({ team: { team_id, name } }: { team: Team }) {
  const [text, setText] = useState(name)
  const { act, busy } = useAct('teams.rename', {
    done: () => void readMe(),
    failed(error) {
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
          say(`Renamed the team to ${next}`, () => {
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

/** A team of one's own beside this one. */
export function Another({ onMade }: { onMade(team_id: number): void }) {
  const [text, setText] = useState('')
  const { act, busy } = useAct('teams.create', {
    async done({ team_id, name }) {
      await readMe()
      setText('')
      say(`Made the team ${name}`)
      onMade(team_id)
    },
    failed,
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
        Make the team
      </button>
    </form>
  )
}
