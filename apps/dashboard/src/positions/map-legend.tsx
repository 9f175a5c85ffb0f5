import { useScope } from '../ground/scope.js'
import { MarkIcon } from '../parts/map/mark.js'
import { Button } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { AGES, CONFIDENCES, METHODS, type Confidence } from '../parts/map/position.js'

interface Props {
  readonly confidence: Confidence
  readonly onConfidence: (confidence: Confidence) => void
  /** True if the organization's own access points are shown. */
  readonly hasAccessPoints: boolean
  readonly onAccessPoints: (isOn: boolean) => void
}

const MEANINGS: Readonly<Record<Confidence, string>> = {
  '50': 'Half of all devices are inside their circle, half are outside.',
  '68': 'About two of three devices are inside their circle. This is what the API returns by default.',
  '95': 'About 19 of 20 devices are inside their circle. It is larger, because it is wrong less often.',
}

/** Explains colors, shapes and circles, and chooses the size of circles. */
export function MapLegend({ confidence, onConfidence, hasAccessPoints, onAccessPoints }: Props) {
  const { refused } = useScope()
  return (
    <div className="map-legend">
      <div className="row" role="group" aria-label="Circles hold the device in so many percent of cases">
        <span className="label">Circles</span>
        {CONFIDENCES.map((candidate) => (
          <Button
            key={candidate}
            look={candidate === confidence ? 'small primary' : 'small'}
            aria-pressed={candidate === confidence}
            onPress={() => onConfidence(candidate)}
          >
            {candidate} %
          </Button>
        ))}
      </div>
      <p className="quiet">{MEANINGS[confidence]} A hatched circle comes from the fallback.</p>
      <ul className="row">
        {AGES.map(({ tone, text }) => (
          <li key={tone} className="quiet">
            <MarkIcon shape="circle" tone={tone} /> {text}
          </li>
        ))}
      </ul>
      <ul className="row">
        {Object.values(METHODS).map(({ shape, text }) => (
          <li key={shape} className="quiet">
            <MarkIcon shape={shape} tone="plain" /> {text}
          </li>
        ))}
      </ul>
      {!refused('access-point:read') && (
        <Check
          text={
            <>
              Your organization's access points <MarkIcon shape="diamond" tone="plain" />
            </>
          }
          hint="The darker a square, the more there are. Single ones are shown to admins, where few are in view."
          isChecked={hasAccessPoints}
          onChange={onAccessPoints}
        />
      )}
    </div>
  )
}
