import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache, useAct } from '../../data/cache.ts'
import { wordsOf } from '../../data/client.ts'
import { complain, say } from '../../frame/toasts.tsx'
import type { Team } from './may.ts'
import { Question } from './question.tsx'

/** Out of the team; only somebody else can let one in again. */
export function Leave({ team: { team_id, name } }: { team: Team }) {
  const [asking, setAsking] = useState(false)
  const [, go] = useLocation()
  const { act, busy } = useAct('teams.leave', {
    async done() {
      say(`You left ${name}`)
      go('/settings/team')
      await cache.invalidateQueries()
    },
    failed(error) {
      setAsking(false)
      complain(wordsOf(error))
    },
  })
  return (
    <>
      <button type="button" className="button plain" onClick={() => setAsking(true)}>
        Leave {name}…
      </button>
      {asking && (
        <Question
          title={`Leave ${name}?`}
          verb={`Leave ${name}`}
          busy={busy}
          onYes={() => act({ team_id })}
          onClose={() => setAsking(false)}
        >
          <p>
            You will see nothing of its boards any more, and your agents stop working there. What
            you wrote stays. Only an invitation lets you in again.
          </p>
        </Question>
      )}
    </>
  )
}
