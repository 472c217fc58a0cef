import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { type Me, managedTeams } from '../../entities/user/me.ts'
import { Steps } from '../../kit/steps.tsx'
import { t } from '../../messages/t.ts'
import { Choose } from './choose.tsx'
import './import.css'
import { Preview } from './preview.tsx'
import { Reading } from './reading.tsx'
import { Result } from './result.tsx'
import { Sending } from './sending.tsx'
import { forgetResult, type ImportState, useImportState } from './session.ts'

const STEPS = [
  t('import.choose_files'),
  t('common.preview'),
  t('import.importing'),
  t('import.result'),
]
const NUMBERS = { choose: 0, reading: 0, preview: 1, sending: 2, result: 3 }

/** Imports tasks from another product, step by step. */
export default function Import({ me }: { me: Me }) {
  const state = useImportState()
  const teams = managedTeams(me)
  const heading = useRef<HTMLHeadingElement>(null)
  const { step } = state
  const shownStep = useRef(step)
  useEffect(() => forgetResult, [])
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    heading.current?.focus({ preventScroll: true })
    heading.current?.parentElement?.scrollTo(0, 0)
  }, [step])
  return (
    <div className="import">
      <h1 ref={heading} tabIndex={-1}>
        {t('import.import_tasks')}
      </h1>
      {teams.length ? (
        <>
          <Steps label={t('import.steps_of_the_import')} names={STEPS} current={NUMBERS[step]} />
          <Step me={me} teams={teams} state={state} />
        </>
      ) : (
        <p className="intro">{t('import.only_owners_and_admins_can_import')}</p>
      )}
    </div>
  )
}

function Step({ me, teams, state }: { me: Me; teams: Me['teams']; state: ImportState }) {
  const [query] = useSearchParams()
  const requested = teams.find(({ team_id }) => String(team_id) === query.get('team'))
  switch (state.step) {
    case 'choose':
      return <Choose {...state} teams={teams} team_id={(requested ?? teams[0]!).team_id} />
    case 'reading':
      return <Reading {...state} />
    case 'preview':
      return <Preview {...state} boards={me.boards} />
    case 'sending':
      return <Sending {...state} />
    case 'result':
      return <Result {...state} />
  }
}
