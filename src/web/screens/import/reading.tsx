import { t } from '../../messages/t.ts'
import { chooseAgain, type ImportState } from './session.ts'

type Props = Extract<ImportState, { step: 'reading' }>

/** While the files are read. How many records they contain is known only at the end. */
export const Reading = ({ choice, records }: Props) => (
  <section className="import-progress" aria-label={t('import.reading_files')}>
    <p role="status">
      {choice.files.length === 1
        ? t('import.reading_file', { file: choice.files[0]!.path })
        : t('import.reading_count_files', { count: choice.files.length })}
    </p>
    <progress aria-label={t('import.reading_files')} />
    <p className="soft tabular">
      {records > 0 && t('import.count_records_read', { count: records })}
    </p>
    <footer>
      <button type="button" className="button plain" onClick={() => chooseAgain()}>
        {t('common.cancel')}
      </button>
    </footer>
  </section>
)
