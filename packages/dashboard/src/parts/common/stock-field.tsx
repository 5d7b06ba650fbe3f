import { useId } from 'preact/hooks';
import { useRead } from '../../service/read.js';
import { Field } from './form.js';

/** An instrument by its symbol and exchange, with suggestions while the reader types. */
export function StockField(props: {
  readonly label?: string;
  readonly security: 'stock' | 'cryptocurrency';
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly isOptional?: boolean;
}) {
  const id = useId();
  const query = props.value.split(':')[0] ?? '';
  const found = useRead(`stocks ${props.security} ${query}`, (client) =>
    client.findStocks({ query, security: props.security, limit: 12 }),
  );
  return (
    <>
      <Field
        label={props.label ?? 'Instrument'}
        required={!props.isOptional}
        list={id}
        autocomplete="off"
        // A phone makes words of symbols, and another word may be another instrument.
        autocapitalize="characters"
        autoCorrect="off"
        placeholder={props.security === 'stock' ? 'AAPL:NASDAQ' : 'BTC:COINBASE'}
        value={props.value}
        onValue={props.onValue}
      />
      <datalist id={id}>
        {found.data?.map(({ stock_id, symbol, exchange, name }) => (
          <option key={stock_id} value={`${symbol}:${exchange}`}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
