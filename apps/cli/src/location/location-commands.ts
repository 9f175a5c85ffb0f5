import { group } from '../session/verb.js'

group('access-points', 'Wi-Fi access points for location')

group('cells', 'radio cells for location')

group('observations', 'scans with known positions')

group('positions', 'stored positions of the devices of a project')

group('location', 'settings and quality of location')
