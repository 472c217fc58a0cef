import { TextField } from '../../../kit/field.tsx'
import { t } from '../../../messages/t.ts'

interface Props {
  hint: string
  value: string
  onChange(value: string): void
}

/** The field for an access token of a code host. */
export const TokenField = (props: Props) => (
  <TextField
    label={t('code.access_token')}
    name="token"
    type="password"
    autoComplete="off"
    required
    maxLength={1000}
    {...props}
  />
)
