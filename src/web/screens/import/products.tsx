import { useState } from 'react'
import { PRODUCTS } from '../../entities/import/products.ts'
import { Copy } from '../../kit/copy.tsx'
import { SelectField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'

/** What to export from each product, and where. */
export function Products() {
  const [name, setName] = useState<string>()
  const product = PRODUCTS.find((one) => one.name === name)
  return (
    <section className="import-section" aria-labelledby="import-products">
      <h2 id="import-products">{t('import.how_to_export')}</h2>
      <p className="soft">{t('import.select_a_product')}</p>
      <div className="flex-wrap">
        {PRODUCTS.map((one) => (
          <button
            key={one.name}
            type="button"
            className="button plain"
            aria-pressed={one.name === name}
            onClick={() => setName(one.name === name ? undefined : one.name)}
          >
            {one.title}
          </button>
        ))}
      </div>
      <div className="accepts" role="status">
        {product && (
          <>
            <p>
              <strong>{product.title}:</strong> {product.accepts}.
            </p>
            {product.token && <ApiHint name={product.name} token={product.token} />}
          </>
        )}
      </div>
    </section>
  )
}

/** Only the command line downloads from other products: browsers do not let a page do that. */
const ApiHint = ({ name, token }: { name: string; token: string }) => (
  <>
    <p className="soft">{t('import.an_address_needs_the_command_line', { token })}</p>
    <Copy label={t('import.the_command')} text={`${token}=… cork import --from ${name} URL`} />
  </>
)

interface SourceProps {
  value: string | undefined
  onPick(source: string | undefined): void
}

/** Chooses how files are read, if that was detected wrongly or not at all. */
export const SourceSelect = ({ value, onPick }: SourceProps) => (
  <SelectField
    className="source-select"
    label={t('import.read_the_files_as')}
    value={value}
    choices={[
      [undefined, t('import.detect_the_product')],
      ...PRODUCTS.map(({ name, title }) => [name, title] as const),
    ]}
    onPick={onPick}
  />
)
