import { Copy } from '../../../kit/copy.tsx'
import { t } from '../../../messages/t.ts'
import { DangerDialog, SettingsSection } from '../parts.tsx'
import { ShowOnce } from '../show-once.tsx'
import type { FactorProps } from './factor-props.ts'

interface Props extends Pick<FactorProps, 'factors'> {
  /** New codes, which are shown once. */
  codes: readonly string[] | undefined
  createCodes(): Promise<void>
  onClose(): void
}

export function RecoveryCodes({ factors, codes, createCodes, onClose }: Props) {
  const { passkeys, authenticator_app, recovery_codes } = factors
  const hasFactor = passkeys.length > 0 || authenticator_app !== null
  return (
    <SettingsSection
      title={t('settings.recovery_codes')}
      about={t('settings.about_recovery_codes')}
    >
      {codes ? (
        <ShowOnce title={t('settings.your_recovery_codes')} onClose={onClose}>
          {(onCopied) => (
            <Copy label={t('settings.codes')} text={codes.join('\n')} onCopied={onCopied} />
          )}
        </ShowOnce>
      ) : (
        <>
          <p className={recovery_codes ? undefined : 'none'}>
            {statusText(hasFactor, recovery_codes)}
          </p>
          {hasFactor && <CreateButton {...{ recovery_codes, createCodes }} />}
        </>
      )}
    </SettingsSection>
  )
}

type Codes = FactorProps['factors']['recovery_codes']

function statusText(hasFactor: boolean, codes: Codes): string {
  if (!hasFactor) return t('settings.add_a_passkey_or_an_app_first')
  return codes
    ? t('settings.recovery_codes_left', { count: codes.left })
    : t('settings.no_recovery_codes_yet')
}

interface ButtonProps extends Pick<Props, 'createCodes'> {
  recovery_codes: Codes
}

const CreateButton = ({ recovery_codes, createCodes }: ButtonProps) => (
  <div className="flex-wrap">
    {recovery_codes ? (
      <DangerDialog
        name={t('settings.replace')}
        of={t('settings.recovery_codes_inline')}
        showsItemName
        run={() => void createCodes()}
      >
        <p>{t('settings.your_earlier_codes_no_longer_work')}</p>
      </DangerDialog>
    ) : (
      <button type="button" className="button plain" onClick={() => void createCodes()}>
        {t('settings.create_recovery_codes')}
      </button>
    )}
  </div>
)
