import { useState } from 'react'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { manages } from './deeds.ts'
import type { Session } from './run.tsx'
import { isOpen } from './words.ts'

/** Whoever began a run, and who answers for its agent, can stop it. */
export function useMayStop(run: Session): boolean {
  const { data: me } = useAsk('user_context.get', {})
  const agent_id = run.agent.agent_id ?? ''
  const { data: agent } = useAsk('agents.get', { agent_id }, { enabled: isOpen(run) })
  if (!isOpen(run) || !me) return false
  return run.created_by.user_id === me.profile.user_id || Boolean(agent && manages(me, agent))
}

/** It is over for good, so it asks, and takes along why. */
export function Stop({ run }: { run: Session }) {
  const { run_id, agent } = run
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const { act } = useAct('runs.stop', {
    ahead: ({ reason: why }) => {
      const key = keyOf('runs.get', { run_id })
      const before = cache.getQueryData<Session>(key)
      cache.setQueryData<Session>(
        key,
        (now) => now && { ...now, state: 'stopped', reason: why ?? null },
      )
      return () => void cache.setQueryData(key, before)
    },
    done: () => say(`Stopped the run of ${agent.name}`),
    failed: (error) => complain(wordsOf(error)),
  })
  const stop = () => {
    setAsking(false)
    act({ run_id, ...(reason.trim() && { reason: reason.trim() }) })
  }
  return (
    <>
      <button type="button" className="button plain stop" onClick={() => setAsking(true)}>
        Stop
      </button>
      {isAsking && (
        <Dialog open onClose={() => setAsking(false)} title={`Stop ${agent.name}?`}>
          <form
            className="agent-ask"
            onSubmit={(event) => {
              event.preventDefault()
              stop()
            }}
          >
            <p>
              A run that is stopped does not go on; {agent.name} is told. The task stays as it is.
            </p>
            <label className="labelled">
              Why, if that helps
              <input
                className="field"
                maxLength={2000}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            </label>
            <footer>
              <button type="submit" className="button main">
                Stop the run
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  )
}
