import type { KeyboardEvent } from 'react'
import { countTexts } from '../../entities/import/counts.ts'
import type { Me } from '../../entities/user/me.ts'
import { Form, SubmitButton } from '../../kit/form.tsx'
import { rich, t } from '../../messages/t.ts'
import { Boards } from './boards.tsx'
import { CsvColumns } from './csv-columns.tsx'
import { Losses } from './losses.tsx'
import { People } from './people.tsx'
import { Priorities } from './priorities.tsx'
import { ProblemBox } from './problem.tsx'
import { SourceSelect } from './products.tsx'
import { Samples } from './samples.tsx'
import { chooseAgain, type Previewing, readFiles, setMapping, startImport } from './session.ts'

/** Enter in a field must not start the import; Ctrl+Enter does. */
function keepEnter(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, target } = event
  if (key === 'Enter' && !ctrlKey && !metaKey && target instanceof HTMLInputElement)
    event.preventDefault()
}

/** The second step: what would be imported, and what becomes of it. */
export function Preview(props: Previewing & { boards: Me['boards'] }) {
  const { choice, reading, mapping, isReading = false, problem, boards } = props
  const { plan, preview } = reading
  const parts = { plan, mapping, onChange: setMapping }
  const { columns } = reading
  const isEmpty = mapping.boards.every(({ skip }) => skip)
  return (
    <Form
      className="import-preview"
      label={t('common.preview')}
      onSubmit={() => void startImport()}
    >
      <div className="found">
        <p className="headline">
          {rich('import.title_from_product', {
            title: <strong dir="auto">{plan.origin.title}</strong>,
            product: plan.source.title,
          })}
        </p>
        <p className="counts">{countTexts(plan.counts).join(' · ')}</p>
        {preview.import && <p className="soft">{t('import.was_imported_before')}</p>}
        <SourceSelect
          value={plan.source.name}
          onPick={(source) => void readFiles({ ...choice, source })}
        />
      </div>
      {problem && <ProblemBox problem={problem} />}
      {columns && <CsvColumns {...{ columns, isReading }} chosen={mapping.columns} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps a key from the form */}
      <div onKeyDown={keepEnter} inert={isReading}>
        <Samples plan={plan} />
        <Losses plan={plan} />
        <Boards
          {...parts}
          boards={boards.filter(({ team_id }) => team_id === choice.team_id)}
          matches={preview.boards}
        />
        <People {...parts} team_id={choice.team_id} matches={preview.people} />
        <Priorities {...parts} />
      </div>
      <footer>
        <p className="soft" role="status">
          {isReading && t('import.reading_files_again')}
        </p>
        <button type="button" className="button plain" onClick={() => chooseAgain()}>
          {t('import.choose_other_files')}
        </button>
        <SubmitButton disabled={isEmpty || isReading}>{t('import.start_import')}</SubmitButton>
      </footer>
    </Form>
  )
}
